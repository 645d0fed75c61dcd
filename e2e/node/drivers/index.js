// The clients under test: which SDK speaks which endpoint, and how it is pointed at the server.

import { readFileSync } from 'node:fs';
import Anthropic from '@anthropic-ai/sdk';
import { AnthropicVertex } from '@anthropic-ai/vertex-sdk';
import { OAuth2Client } from 'google-auth-library';
import OpenAI, { AzureOpenAI } from 'openai';
import { ChatDriver } from './chat.js';
import { MessagesDriver } from './messages.js';
import { ResponsesDriver } from './responses.js';

const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url)));

// The SDKs log what they cannot read; the runner tells of it.
const quiet = { logLevel: 'off' };

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
    driver(book, e, { url, headers }) {
      const authClient = new OAuth2Client();
      authClient.setCredentials({ access_token: 'ya29.test' });
      return new MessagesDriver(book, e, new AnthropicVertex({
        baseURL: `${url}/v1`, region: 'us-east5', projectId: 'parcels', authClient, ...quiet, defaultHeaders: headers }));
    },
  },
].map((client) => ({ label: client.sdk, version: dependencies[client.sdk], ...client }));
