import { Agent, request as ask, createServer } from 'node:http';
import { bodyOf } from '../body-of.ts';
import { serve } from '../served.ts';

/** Sends every request on to the chat stub once, over kept connections, and stores nothing. */
const port = Number(process.env['SERVICES_PORT']);
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const target = { host: '127.0.0.1', port, path: '/slack/chat.postMessage', method: 'POST', agent };

serve(
  createServer((request, response) => {
    bodyOf(request, (body) => {
      const headers = { 'content-type': 'application/json', 'content-length': body.length };
      ask({ ...target, headers }, (answer) => {
        answer.resume().on('end', () => response.end('ok'));
      }).end(body);
    });
  }),
);
