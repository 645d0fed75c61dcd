"""The clients under test: which SDK speaks which endpoint, and how it is pointed at the server."""

import importlib.metadata
import threading
from collections.abc import Callable
from dataclasses import dataclass

import anthropic
import boto3
import ollama
import openai
from botocore.config import Config
from drivers.chat import ChatDriver
from drivers.converse import ConverseDriver
from drivers.gemini import GeminiDriver
from drivers.messages import MessagesDriver
from drivers.ollama_ import OllamaDriver
from drivers.responses import ResponsesDriver
from google import genai
from google.genai.types import HttpOptions
from google.oauth2.credentials import Credentials


@dataclass(frozen=True)
class Client:
    """One of an SDK's clients. speaker is the driver's class; connect makes the SDK's client for a server's URL, the headers
    of a run, and the options of patient."""

    endpoint: str
    sdk: str
    speaker: Callable
    connect: Callable
    is_async: bool

    @property
    def label(self):
        return f"{self.sdk} ({'async' if self.is_async else 'sync'})"

    @property
    def version(self):
        return importlib.metadata.version(self.sdk)

    def driver(self, book, endpoint, url, headers):
        """The driver of one run: it speaks to the server at url with the headers of the run."""
        return self.speaker(book, endpoint, lambda seconds: self.connect(url, headers, seconds), self.is_async)


def _patient(seconds):
    """The options of OpenAI's and Anthropic's clients: their defaults, or so much time for bytes and no second request."""
    return {} if seconds is None else {"timeout": seconds, "max_retries": 0}


def _openai(make, **options):
    path = options.pop("path")
    return lambda url, headers, seconds: make(base_url=url + path, default_headers=headers, **options, **_patient(seconds))


def _azure(make):
    return lambda url, headers, seconds: make(azure_endpoint=f"{url}/as/azure", api_version="2024-10-21", api_key="0123456789abcdef",
                                              default_headers=headers, **_patient(seconds))


def _genai(**options):
    def connect(url, headers, seconds):
        timeout = None if seconds is None else round(1000 * seconds)
        return genai.Client(http_options=HttpOptions(base_url=url, headers=headers, timeout=timeout), **options)
    return connect


def _google_cloud():
    return {"vertexai": True, "project": "parcels", "location": "us-central1", "credentials": Credentials("ya29.test")}


_making = threading.Lock()  # one session makes one client at a time
_session = boto3.Session(aws_access_key_id="AKIATEST", aws_secret_access_key="test", region_name="us-east-1")


def _boto3(url, headers, seconds):
    patience = Config() if seconds is None else Config(read_timeout=seconds, retries={"total_max_attempts": 1})
    with _making:
        client = _session.client("bedrock-runtime", endpoint_url=url, config=patience)

    def carry(request, **_):
        for name, value in headers.items():
            request.headers[name] = value

    client.meta.events.register("before-sign.bedrock-runtime", carry)
    return client


def _ollama(make):
    return lambda url, headers, seconds: make(host=url, headers=headers, **({} if seconds is None else {"timeout": seconds}))


_VERTEX = {"path": "/v1", "region": "us-east5", "project_id": "parcels", "access_token": "ya29.test"}
_AWS = {"path": "", "aws_region": "us-east-1", "aws_access_key": "AKIATEST", "aws_secret_key": "test"}

# By endpoint: the SDK, the driver, and what connects the sync and the async client. Azure's v1 paths need no api-version,
# and are spoken by the plain client.
_TABLE = [
    ("openai.chat", "openai", ChatDriver, [_openai(make, path="/as/openai/v1", api_key="sk-test") for make in (openai.OpenAI, openai.AsyncOpenAI)]),
    ("openai.responses", "openai", ResponsesDriver, [_openai(make, path="/as/openai/v1", api_key="sk-test") for make in (openai.OpenAI, openai.AsyncOpenAI)]),
    ("azure.chat", "openai", ChatDriver, [_azure(make) for make in (openai.AzureOpenAI, openai.AsyncAzureOpenAI)]),
    ("azure.responses", "openai", ResponsesDriver,
     [_openai(make, path="/as/azure/openai/v1", api_key="0123456789abcdef") for make in (openai.OpenAI, openai.AsyncOpenAI)]),
    ("anthropic.messages", "anthropic", MessagesDriver,
     [_openai(make, path="", api_key="sk-ant-test") for make in (anthropic.Anthropic, anthropic.AsyncAnthropic)]),
    ("vertex.messages", "anthropic", MessagesDriver, [_openai(make, **_VERTEX) for make in (anthropic.AnthropicVertex, anthropic.AsyncAnthropicVertex)]),
    ("bedrock.messages", "anthropic", MessagesDriver, [_openai(make, **_AWS) for make in (anthropic.AnthropicBedrock, anthropic.AsyncAnthropicBedrock)]),
    ("gemini.generate", "google-genai", GeminiDriver, [_genai(api_key="AIzaTest")] * 2),
    ("aiplatform.generate", "google-genai", GeminiDriver, [_genai(**_google_cloud())] * 2),
    ("bedrock.converse", "boto3", ConverseDriver, [_boto3]),
    ("ollama.native", "ollama", OllamaDriver, [_ollama(make) for make in (ollama.Client, ollama.AsyncClient)]),
]

CLIENTS = [Client(endpoint, sdk, speaker, connect, is_async=bool(i))
           for endpoint, sdk, speaker, connects in _TABLE for i, connect in enumerate(connects)]
