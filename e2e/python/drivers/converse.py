"""Speaks Bedrock's Converse with boto3, which has no async client. It puts no stream together; the driver does."""

import json

from book import model_for
from drivers.converse_read import add, aws_failure, begin, choice_of, usage_of
from drivers.driver import Driver


class ConverseDriver(Driver):
    """Keeps the messages of the conversation, and the calls that were asked for last."""

    def begin(self):
        self.messages = []
        self.calls = []

    def _input(self, ask):
        """Adds what a turn says to the conversation, and gives the whole request."""
        self._say(ask)
        request = {"modelId": model_for(self.endpoint, ask), "messages": self.messages, "inferenceConfig": {}}
        if "system" in ask:
            request["system"] = [{"text": ask["system"]}]
        if "maxTokens" in ask:
            request["inferenceConfig"]["maxTokens"] = ask["maxTokens"]
        if "stop" in ask:
            request["inferenceConfig"]["stopSequences"] = ask["stop"]
            request["additionalModelResponseFieldPaths"] = ["/stop_sequence"]
        if "reasoning" in ask:
            request["additionalModelRequestFields"] = {"thinking": {"type": "enabled", "budget_tokens": 1024}}
        if "schema" in ask:
            schema = {"name": ask["schema"], "schema": json.dumps(self.book["schemas"][ask["schema"]])}
            request["outputConfig"] = {"textFormat": {"type": "json_schema", "structure": {"jsonSchema": schema}}}
        if "tools" in ask:
            request["toolConfig"] = {"tools": [self._tool(name) for name in ask["tools"]]}
        return request

    def _say(self, ask):
        """Puts the results of the last calls and what the user says into one message, the results first."""
        content = [{"toolResult": {"toolUseId": call["id"], "content": [{"text": result}]}}
                   for call, result in zip(self.calls, ask.get("results", []))]
        if "user" in ask:
            content.append({"text": ask["user"]})
        self.messages.append({"role": "user", "content": content})

    def _tool(self, name):
        tool = self.book["tools"][name]
        return {"toolSpec": {"name": name, "description": tool["description"], "inputSchema": {"json": tool["parameters"]}}}

    async def whole(self, ask, patience):
        try:
            if "op" in ask:
                return self._other(ask)
            request = self._input(ask)
            answer = self.client.converse(**request)
            return self._keep(request, answer["ResponseMetadata"], answer | {"message": answer.get("output", {}).get("message")})
        except Exception as error:
            return aws_failure(error)

    async def stream(self, ask, patience):
        made = begin()
        metadata = None
        request = None
        try:
            async with patience.kept():
                request = self._input(ask)
                answer = self.client.converse_stream(**request)
                metadata = answer["ResponseMetadata"]
                try:
                    async for event in patience.each(answer["stream"]):
                        add(made, event)
                finally:
                    answer["stream"].close()
                return self._keep(request, metadata, made)
        except Exception as error:
            return (self._keep(request, metadata, made) if metadata else {}) | aws_failure(error)

    def _keep(self, request, metadata, made):
        """Tells of a message, and remembers it for the next turn. What Converse does not say of the model, the request did."""
        message = made["message"]
        choice = choice_of(message, made.get("stopReason"))
        if message and message["content"]:
            self.messages.append(message)
        choice["sequence"] = made.get("additionalModelResponseFields", {}).get("stop_sequence")
        self.calls = choice["calls"]
        headers = {name.title(): value for name, value in metadata["HTTPHeaders"].items()}
        return {"id": metadata.get("RequestId"), "model": request["modelId"], "headers": headers, "choices": [choice], "usage": usage_of(made.get("usage"))}

    def _other(self, ask):
        """Does what is no answer of a model: counting tokens, and embeddings."""
        match ask["op"]:
            case "count_tokens":
                self._say(ask)
                converse = {"messages": self.messages, "system": [{"text": ask["system"]}]}
                return {"tokens": self.client.count_tokens(modelId=model_for(self.endpoint, ask), input={"converse": converse})["inputTokens"]}
            case "embed":
                body = {"inputText": ask["user"]}
                answer = self.client.invoke_model(modelId=self.endpoint["embeddingModel"], contentType="application/json", body=json.dumps(body))
                return {"vectors": [json.load(answer["body"])["embedding"]]}
            case op:
                return {"symptom": f"the driver knows no operation {op}"}
