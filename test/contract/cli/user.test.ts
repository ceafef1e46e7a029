/** `colophon user …`, each command in a separate process, next to an open store. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { composeAccess } from '../../../src/app/compose/compose-commands.ts';
import { readConfig } from '../../../src/app/config/config.ts';
import { createRequestOrigins } from '../../../src/base/request-origin.ts';
import { randomIds, silentLogger, systemClock } from '../../../src/base/runtime.ts';
import { commandLine, type Environment, environmentOf, runCommand } from '../../support/command-line.ts';
import { describeOnEachStore } from '../../support/stores.ts';

describeOnEachStore('user', (locations, { isWhole }) => {
  let access: Awaited<ReturnType<typeof composeAccess>>;
  let environment: Environment;

  beforeAll(async () => {
    const location = locations();
    environment = environmentOf(location);
    const runtime = {
      logger: silentLogger,
      clock: systemClock,
      ids: randomIds,
      origins: createRequestOrigins(),
    };
    access = await composeAccess({ ...readConfig({}), ...location.config }, runtime);
  });
  afterAll(() => access.close());

  const user = (...words: string[]) => runCommand(['user', ...words], environment);

  /** Runs `user create … --password-stdin` with the given standard input. */
  async function createPiped(input: string, ...words: string[]) {
    const child = spawn(process.execPath, [commandLine, 'user', 'create', '--password-stdin', ...words], {
      cwd: tmpdir(),
      env: environment,
    });
    child.stdin.end(input);
    const [stdout, stderr] = [child.stdout.toArray(), child.stderr.toArray()];
    const [exitCode] = await once(child, 'close');
    return { exitCode, stdout: (await stdout).join(''), stderr: (await stderr).join('') };
  }

  it('create generates a valid password and prints it once', async () => {
    const { exitCode, stdout, stderr } = await user('create', 'Ada@example.org');
    expect([exitCode, stderr]).toEqual([0, '']);
    const [, email = '', password = ''] = /^Email {5}(\S+)\nPassword {2}([\w-]{43})\n$/.exec(stdout) ?? [];
    expect(email).toBe('ada@example.org');
    expect(await access.users.verify({ email, password })).toMatchObject({ email });
  });

  it.runIf(isWhole)('create --json prints ID, email and password', async () => {
    const made = JSON.parse((await user('create', 'json@example.org', '--json')).stdout);
    const { id, email, password, ...others } = made;
    expect(others).toEqual({ role: 'admin' });
    expect(await access.users.verify({ email, password })).toMatchObject({ id, email: 'json@example.org' });
  });

  it.runIf(isWhole)(
    'create --password-stdin reads a line, blanks included, and never prints it',
    async () => {
      const password = ' s3cret pässword ';
      const plain = await createPiped(`${password}\n`, 'piped@example.org');
      expect(plain).toEqual({ exitCode: 0, stdout: 'created piped@example.org\n', stderr: '' });
      expect(await access.users.verify({ email: 'piped@example.org', password })).toBeDefined();

      const { stdout } = await createPiped(password, 'piped-2@example.org', '--json');
      expect(JSON.parse(stdout)).toEqual({
        id: expect.any(String),
        email: 'piped-2@example.org',
        role: 'admin',
      });
      expect(await access.users.verify({ email: 'piped-2@example.org', password })).toBeDefined();
    },
  );

  it.runIf(isWhole)('create rejects invalid input and never prints the password', async () => {
    await user('create', 'taken@example.org');
    const failures = [
      [await user('create', 'taken@EXAMPLE.org'), /taken@example\.org/],
      [await user('create', 'nobody'), /email must be an email address/],
      [await createPiped('s3cret\n', 'short@example.org'), /password must have 12 to 1000 characters/],
      [await createPiped('', 'none@example.org'), /password must have 12 to 1000 characters/],
    ] as const;
    for (const [{ exitCode, stdout, stderr }, reason] of failures) {
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(reason);
      expect(stderr).not.toContain('s3cret');
    }
  });

  it.runIf(isWhole)('create --role gives the user that role, and refuses another word', async () => {
    await user('create', 'dev@example.org', '--role', 'developer');
    expect(await access.users.findByEmail('dev@example.org')).toMatchObject({ role: 'developer' });
    const { exitCode, stderr } = await user('create', 'owner@example.org', '--role', 'owner');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('editor, developer, admin')]);
    expect(await access.users.findByEmail('owner@example.org')).toBeUndefined();
  });

  it('invite prints a link that works once, and link replaces it', async () => {
    const invited = JSON.parse((await user('invite', 'ed@example.org', '--role', 'editor', '--json')).stdout);
    expect(invited).toMatchObject({ email: 'ed@example.org', role: 'editor' });
    const tokenOf = (link: string) => link.split('/admin/invitation#')[1] ?? '';
    expect(await access.invitations.check(tokenOf(invited.link))).toMatchObject({ email: 'ed@example.org' });
    const { stdout } = await user('link', 'Ed@example.org');
    const [, link = ''] = /^Link {5}(\S+)$/m.exec(stdout) ?? [];
    const accepting = (token: string) =>
      access.invitations.accept({ token, name: 'Ed', password: 'a good password' });
    await expect(accepting(tokenOf(invited.link))).rejects.toMatchObject({ code: 'invitation_ended' });
    expect(await accepting(tokenOf(link))).toMatchObject({ name: 'Ed', role: 'editor', hasPassword: true });
    await expect(accepting(tokenOf(link))).rejects.toMatchObject({ code: 'invitation_ended' });
  });

  it.runIf(isWhole)(
    'set-role, disable and enable change a user, and refuse the last administrator',
    async () => {
      const stateOf = async (email: string) => {
        const all: { email: string }[] = JSON.parse((await user('list', '--json')).stdout);
        return all.find((one) => one.email === email);
      };
      await user('create', 'changing@example.org', '--role', 'editor');
      expect((await user('set-role', 'changing@example.org', 'developer')).stdout).toContain(
        'has the role developer',
      );
      await user('disable', 'changing@example.org');
      expect(await stateOf('changing@example.org')).toMatchObject({ role: 'developer', state: 'disabled' });
      const { exitCode, stderr } = await user('link', 'changing@example.org');
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('is disabled')]);
      await user('enable', 'changing@example.org');
      expect(await stateOf('changing@example.org')).toMatchObject({ state: 'active' });
      for (const { id, role } of await access.users.list()) {
        if (role === 'admin') await access.users.update(id, { isDisabled: true }).catch(() => undefined);
      }
      const left = (await access.users.list()).find(
        (one) => one.role === 'admin' && one.disabledAtMs === undefined,
      );
      const refused = await user('disable', left?.email ?? '');
      expect([refused.exitCode, refused.stderr]).toEqual([
        1,
        expect.stringContaining('the last user with the role admin'),
      ]);
      expect((await user('disable', 'nobody@example.org')).stderr).toContain(
        'There is no user "nobody@example.org"',
      );
    },
  );

  it('list shows the users without hashes', async () => {
    await user('create', 'listed@example.org');
    const { stdout } = await user('list', '--json');
    const entry = {
      id: expect.any(String),
      email: 'listed@example.org',
      role: 'admin',
      state: 'active',
      signInMethod: 'password',
    };
    expect(JSON.parse(stdout)).toContainEqual(entry);
    expect(stdout).not.toMatch(/scrypt|hash/i);
    const [heading = '', ...rows] = (await user('list')).stdout.trimEnd().split('\n');
    expect(heading.split(/ {2,}/)).toEqual(['EMAIL', 'ROLE', 'STATE', 'SIGNS IN BY', 'USER ID']);
    expect(rows.map((row) => row.split(/ {2,}/)[0])).toContain('listed@example.org');
  });
});
