"""What both of OpenAI's drivers have in common: models, and errors."""

from both import given
from drivers.symptom import symptom_of
from openai import APIConnectionError, APIError, APIStatusError


async def models(client, ask):
    """Answers the operations on models; nothing, where the turn asks for something else."""
    if ask.get("op") == "get_model":
        return {"models": [(await given(client.models.retrieve(ask["model"]))).id]}
    if ask.get("op") == "list_models":
        return await all_pages(client.models.list(), "models", lambda model: model.id)
    return None


async def all_pages(asked, key, name_of):
    """Reads a list to its end."""
    page = await given(asked)
    got = {key: [], "pages": 0}
    while page:
        got["pages"] += 1
        got[key] += map(name_of, page.data)
        page = await given(page.get_next_page()) if page.has_next_page() else None
    return got


def openai_failure(error):
    """Reads an error: what the provider said, or the symptom of what broke."""
    if not isinstance(error, APIError) or isinstance(error, APIConnectionError):
        return {"error": error, "symptom": symptom_of(error)}
    status = error.status_code if isinstance(error, APIStatusError) else None
    message = error.body.get("message") if isinstance(error.body, dict) else None
    if status is None:
        message = error.message
    failure = {"status": status, "type": error.type, "code": error.code, "param": error.param, "message": message, "inStream": status is None}
    return {"error": error, "failure": failure}
