// The clients under test: which SDK speaks which endpoint, and how it is pointed at the server.

import { readFileSync } from 'node:fs';
import { AnthropicBedrock } from '@anthropic-ai/bedrock-sdk';
import Anthropic from '@anthropic-ai/sdk';
import { AnthropicVertex } from '@anthropic-ai/vertex-sdk';
import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { OAuth2Client } from 'google-auth-library';
import { Ollama } from 'ollama';
import OpenAI, { AzureOpenAI } from 'openai';
import { ChatDriver } from './chat.js';
import { ConverseDriver } from './converse.js';
import { GeminiDriver } from './gemini.js';
import { MessagesDriver } from './messages.js';
import { OllamaDriver } from './ollama.js';
import { ResponsesDriver } from './responses.js';

const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url)));

// The SDKs log what they cannot read; the runner tells of it.
const quiet = { logLevel: 'off' };

function googleToken() {
  const client = new OAuth2Client();
  client.setCredentials({ access_token: 'ya29.test' });
  return client;
}

const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'test' };

// aws makes the driver of an AWS client that carries the headers of the run, by a step of its middleware.
function aws(book, e, { url, headers }, options) {
  const client = new BedrockRuntimeClient({ region: 'us-east-1', endpoint: url, credentials, ...options });
  client.middlewareStack.add((next) => async (args) => {
    Object.assign(args.request.headers, headers);
    const result = await next(args);
    client.headers = new Headers(Object.entries(result.response.headers).filter(([name]) => !name.startsWith(':'))); // not HTTP/2's own
    return result;
  }, { step: 'build' });
  return new ConverseDriver(book, e, client);
}

// Each client makes the driver of one run: it speaks to the server at url with the headers of the run.
export const CLIENTS = [
  {
    endpoint: 'openai.chat', sdk: 'openai',
    driver: (book, e, { url, headers }) => new ChatDriver(book, e, new OpenAI({ baseURL: `${url}/as/openai/v1`, apiKey: 'sk-test', ...quiet, defaultHeaders: headers })),
  },
  {
    endpoint: 'openai.responses', sdk: 'openai',
    driver: (book, e, { url, headers }) => new ResponsesDriver(book, e, new OpenAI({ baseURL: `${url}/as/openai/v1`, apiKey: 'sk-test', ...quiet, defaultHeaders: headers })),
  },
  {
    endpoint: 'azure.chat', sdk: 'openai',
    driver: (book, e, { url, headers }) => new ChatDriver(book, e, new AzureOpenAI({
      endpoint: `${url}/as/azure`, apiVersion: '2024-10-21', apiKey: '0123456789abcdef', ...quiet, defaultHeaders: headers })),
  },
  {
    // The v1 paths need no api-version, and are spoken by the plain client.
    endpoint: 'azure.responses', sdk: 'openai',
    driver: (book, e, { url, headers }) => new ResponsesDriver(book, e, new OpenAI({
      baseURL: `${url}/as/azure/openai/v1`, apiKey: '0123456789abcdef', ...quiet, defaultHeaders: headers })),
  },
  {
    endpoint: 'anthropic.messages', sdk: '@anthropic-ai/sdk',
    driver: (book, e, { url, headers }) => new MessagesDriver(book, e, new Anthropic({ baseURL: url, apiKey: 'sk-ant-test', ...quiet, defaultHeaders: headers })),
  },
  {
    endpoint: 'vertex.messages', sdk: '@anthropic-ai/vertex-sdk',
    driver: (book, e, { url, headers }) => new MessagesDriver(book, e, new AnthropicVertex({
      baseURL: `${url}/v1`, region: 'us-east5', projectId: 'parcels', authClient: googleToken(), ...quiet, defaultHeaders: headers })),
  },
  {
    endpoint: 'gemini.generate', sdk: '@google/genai',
    driver: (book, e, { url, headers }) => new GeminiDriver(book, e, new GoogleGenAI({ apiKey: 'AIzaTest', httpOptions: { baseUrl: url, headers } })),
  },
  {
    endpoint: 'aiplatform.generate', sdk: '@google/genai',
    driver: (book, e, { url, headers }) => new GeminiDriver(book, e, new GoogleGenAI({
      vertexai: true, project: 'parcels', location: 'us-central1', googleAuthOptions: { authClient: googleToken() }, httpOptions: { baseUrl: url, headers } })),
  },
  {
    endpoint: 'bedrock.messages', sdk: '@anthropic-ai/bedrock-sdk',
    driver: (book, e, { url, headers }) => new MessagesDriver(book, e, new AnthropicBedrock({
      baseURL: url, awsRegion: 'us-east-1', awsAccessKey: credentials.accessKeyId, awsSecretKey: credentials.secretAccessKey, ...quiet, defaultHeaders: headers })),
  },
  {
    endpoint: 'bedrock.converse', sdk: '@aws-sdk/client-bedrock-runtime', label: '@aws-sdk/client-bedrock-runtime (HTTP/2)', protocol: 'http2',
    driver: (book, e, to) => aws(book, e, to, {}),
  },
  {
    endpoint: 'bedrock.converse', sdk: '@aws-sdk/client-bedrock-runtime', label: '@aws-sdk/client-bedrock-runtime (HTTP/1.1)',
    driver: (book, e, to) => aws(book, e, to, { requestHandler: new NodeHttpHandler() }),
  },
  {
    // Only streams can be aborted; what else has a deadline gets its signal by a fetch of its own, as the SDK suggests.
    endpoint: 'ollama.native', sdk: 'ollama',
    driver: (book, e, { url, headers }) => new OllamaDriver(book, e, (signal, seen) => new Ollama({
      host: url, headers,
      async fetch(address, init) {
        const response = await fetch(address, { ...init, signal: AbortSignal.any([signal, ...(init.signal ? [init.signal] : [])]) });
        seen.headers = response.headers;
        return response;
      },
    })),
  },
].map((client) => ({ label: client.sdk, version: dependencies[client.sdk], ...client }));
