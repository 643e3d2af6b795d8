import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { jsonBodyParser } from '../../../server/http/json-body.ts';

const LONG = Buffer.from(JSON.stringify({ text: 'x'.repeat(20_000) }));

/** A request of an account whose route takes some milliseconds to parse, and tells whose it parses. */
const requestOf = (id: string, tell: (id: string) => void, ms: number) => {
  const parse = () => {
    const end = performance.now() + ms;
    while (performance.now() < end);
    tell(id);
    return id;
  };
  return { account: { id }, ip: '127.0.0.1', routeOptions: { config: { parse } } } as unknown as FastifyRequest;
};

function parsing(tell: (id: string) => void, ms: number) {
  const parser = jsonBodyParser();
  return (id: string, body: Buffer) =>
    new Promise((resolve, reject) => {
      parser(requestOf(id, tell, ms), Buffer.from(body), (error, value) => (error ? reject(error) : resolve(value)));
    });
}

it('gives the event loop a turn between long bodies', async () => {
  const turns: number[] = [];
  let turn = 0;
  let isRunning = true;
  const count = () => {
    turn++;
    if (isRunning) setImmediate(count);
  };
  setImmediate(count);
  const parse = parsing(() => turns.push(turn), 6);
  await Promise.all(Array.from({ length: 8 }, () => parse('a', LONG)));
  isRunning = false;
  expect(new Set(turns).size).toBe(8);
});

it('parses long bodies owner after owner', async () => {
  const order: string[] = [];
  const parse = parsing(id => order.push(id), 1);
  await Promise.all([...'aaaaaaab'].map(id => parse(id, LONG)));
  expect(order.indexOf('b')).toBeLessThan(4);
  expect(order.sort().join('')).toBe('aaaaaaab');
});

it('parses a short body at once', () => {
  const order: string[] = [];
  const parse = parsing(id => order.push(id), 0);
  void parse('a', Buffer.from('{}'));
  expect(order).toEqual(['a']);
});

it('goes on after a long body that is refused', async () => {
  const parser = jsonBodyParser();
  const request = { ip: '127.0.0.1', routeOptions: { config: {} } } as unknown as FastifyRequest;
  const parse = (text: string) =>
    new Promise((resolve, reject) => {
      parser(request, Buffer.from(text), (error, value) => (error ? reject(error) : resolve(value)));
    });
  const broken = parse(`{${'x'.repeat(20_000)}`);
  await expect(broken).rejects.toThrow('JSON decode error');
  expect(await parse(LONG.toString())).toEqual({ text: 'x'.repeat(20_000) });
});
