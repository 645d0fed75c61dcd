"""Prints those lines of requirements.in that requirements.txt agrees with, in the form of check.sh."""

import re

with open("requirements.txt", encoding="utf-8") as file:
    locked = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", file.read(), re.MULTILINE))
with open("requirements.in", encoding="utf-8") as file:
    for name in re.findall(r"^([a-z0-9-]+)(?:\[.*\])?==", file.read(), re.MULTILINE):
        print(f"{name}=={locked.get(name)}")
