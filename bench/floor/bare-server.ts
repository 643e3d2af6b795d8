// A server that answers every POST with the bytes of a file and does nothing else, as node:http or Fastify carry it: the least that a
// server of that kind takes. Arguments: which of the two, the port, the file of the answer.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import fastify from 'fastify';

const [, , kind, port, file] = process.argv;
const answer = readFileSync(file!);

if (kind === 'fastify') {
  const app = fastify();
  // The body is read and parsed, as every JSON service must.
  app.post('/*', async (_request, reply) => reply.type('application/json').send(answer));
  await app.listen({ port: Number(port), host: '127.0.0.1' });
} else
  createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      JSON.parse(Buffer.concat(parts).toString());
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
      response.end(answer);
    });
  }).listen(Number(port), '127.0.0.1');
