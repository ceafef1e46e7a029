/** `colophon history`, `restore`, `erase` and `audit`, on a store directly and over a server. */
import { beforeAll, expect, it } from 'vitest';
import { credentialsOf, type Environment, environmentOf, runCommand } from '../../support/command-line.ts';
import { keepsHistory } from '../../support/history.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { describeOnEachStore, type StoreLocation } from '../../support/stores.ts';
import { text } from '../http/cma/cma-content.ts';

describeOnEachStore('the commands about the past of an asset', (locations, { isWhole }) => {
  let location: StoreLocation;
  let instance: TestInstance;
  let ways: Readonly<Record<'store' | 'server', { words: string[]; environment: Environment }>>;

  beforeAll(async () => {
    location = locations();
    instance = await startInstance(location);
    const client = await instance.createClient({ scopes: ['cma:read', 'cma:write', 'history', 'admin'] });
    await instance.refresh();
    const environment = credentialsOf(client);
    ways = {
      store: { words: [], environment: environmentOf(location) },
      server: { words: ['--url', instance.url], environment },
    };
  });

  /** Creates a text that is called first, then second. */
  async function createChanged(): Promise<string> {
    const { content } = instance.services;
    const { asset } = await content.create({ _type: text, name: 'first', text: 'kept' }, {});
    await content.update({ id: asset._id, body: { name: 'second', text: 'added' } }, {});
    return asset._id;
  }

  it.each(isWhole ? (['store', 'server'] as const) : (['store'] as const))(
    'list, restore and erase on a %s',
    async (way) => {
      if (!(await keepsHistory(instance))) return;
      const { words, environment } = ways[way];
      const run = (...command: string[]) => runCommand([...command, ...words], environment);
      const id = await createChanged();
      const listed = JSON.parse((await run('history', id, '--json')).stdout);
      expect(listed.map(({ action }: { action: string }) => action)).toEqual(['update', 'create']);
      const table = await run('history', id, '--limit', '1');
      expect(table.stdout).toMatch(/^TIME +ACTION .*\n.* update .*\n$/);
      const version = `--version=${listed[1].version}`;
      const dry = await run('restore', id, version, '--dry-run');
      expect([dry.exitCode, dry.stdout]).toEqual([0, `dry run, nothing written: ${id} can be restored\n`]);
      const dryJson = JSON.parse((await run('restore', id, version, '--dry-run', '--json')).stdout);
      expect(dryJson).toEqual({ asset: expect.objectContaining({ _id: id, name: 'first', text: 'kept' }) });
      expect(JSON.parse((await run('history', id, '--json')).stdout)).toHaveLength(2);
      const part = JSON.parse((await run('restore', id, version, '--field', 'name', '--json')).stdout);
      expect(part.asset).toMatchObject({ name: 'first', text: 'added' });
      await instance.services.content.delete({ id }, {});
      const restored = await run('restore', id, version);
      expect([restored.exitCode, restored.stdout]).toEqual([0, expect.stringContaining(`restored ${id}`)]);
      const by = JSON.parse((await run('history', id, '--json', '--limit', '1')).stdout)[0].by;
      expect(by.kind).toBe(way === 'store' ? 'command' : 'client');
      expect((await run('erase', id)).stdout).toBe(`erased ${id}\n`);
      const left = JSON.parse((await run('history', id, '--json')).stdout);
      expect(left.map(({ action }: { action: string }) => action)).toEqual(['erase']);
      const audited = await run('audit', '--asset', id, '--action', 'erase');
      expect(audited.stdout).toMatch(/^seq,at,action,.*\r\n\d+,[^,]*,erase,"?Erased Text.*\r\n$/);
      for (const words of [[], ['--dry-run']]) {
        const gone = await run('restore', id, version, ...words);
        expect([gone.exitCode, gone.stderr.includes(id)]).toEqual([1, true]);
      }
    },
  );

  it.runIf(isWhole).each([
    [['restore', 'x'], /either --version or --at/],
    [['restore', 'x', '--version', 'a', '--at', '1'], /either --version or --at/],
    [['restore', 'x', '--at', 'noon'], /--at must be a time/],
    [['history', 'x', '--limit', '0'], /limit/],
    [['erase'], /erase takes <id>/],
    [['audit', '--by-kind', 'robot'], /--by-kind must be one of client, user/],
    [['audit', '--from', 'noon'], /--from must be a time/],
  ])('%j is refused with its reason', async (words, reason) => {
    const { exitCode, stderr } = await runCommand(words, ways.store.environment);
    expect([exitCode, reason.test(stderr)]).toEqual([2, true]);
  });
});
