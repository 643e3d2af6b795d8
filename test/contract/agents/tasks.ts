import { cpSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENTS } from '../../../bench/agents/clients.ts';
import { Ground } from '../../../bench/agents/ground.ts';
import { playTask } from '../../../bench/agents/play.ts';
import type { AgentTask } from '../../../bench/agents/task.ts';
import { isRight } from '../../../bench/agents/tasks.ts';
import { catalog } from '../../../datasets/catalog.ts';
import { readSettings } from '../../../query/engine/settings.ts';
import { type Service, startServer } from '../../../server/service.ts';
import { folder } from '../../pipelines/world/truth.ts';
import { syntheticHome, syntheticWorld } from '../../synthetic-home.ts';

/** Plays tasks with each client against the synthetic area, as `make bench-agents` does. */
export function describeTasks(tasks: readonly AgentTask[]): void {
  describe('agents that know only their task and the list of tools', () => {
    const home = folder();
    let service: Service;
    let token: string;
    let ground: Ground;
    beforeAll(async () => {
      cpSync((await syntheticHome()).home, home, { recursive: true });
      service = await startServer(
        readSettings({ PLAT_HOME: home, PORT: '0', PLAT_WORKERS: '1', PLAT_RATE_LIMIT: 'off', PLAT_LOG: 'error' }),
        catalog,
      );
      token = await service.tokens.issue(await service.state.openAccount('agent@example.org', 'market'));
      ground = await Ground.of(await syntheticWorld(), home);
    });
    afterAll(async () => {
      await service?.drain(1_000);
      rmSync(home, { recursive: true, force: true });
    });

    it.each(Object.keys(CLIENTS))('finish them in few calls and tokens, with %s', async kind => {
      const client = await CLIENTS[kind]!(service.address, token);
      const tools = await client.tools();
      for (const task of tasks) {
        const { answer, faults } = await playTask(task, client, tools);
        const truth = task.truth(ground);
        expect(
          isRight(answer, truth),
          `${task.name}: ${JSON.stringify(answer)}, right is ${JSON.stringify(truth)}`,
        ).toBe(true);
        expect(faults, task.name).toEqual([]);
      }
      await client.close();
    });
  });
}
