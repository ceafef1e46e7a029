/** What changes are called: system records by what happened to them, content by its type. */
import { describe, expect, it } from 'vitest';
import { describeChange } from '../../../../src/access/audit/audit-log.ts';
import type { ChangeEntry } from '../../../../src/content/changes/follow-changes.ts';
import type { JsonObject } from '../../../../src/model/content-type.ts';

const asset = '0191f3a0-5b7e-7c11-9d2e-000000000001';

function described({
  state,
  ...entry
}: Pick<ChangeEntry, 'type' | 'action'> & Partial<ChangeEntry> & { state?: JsonObject }) {
  const change = {
    id: 'c1',
    asset,
    number: 1,
    changed: [],
    atMs: 0,
    by: { kind: 'system' } as const,
    ...entry,
  };
  const after = state && { ...state, _id: asset, _type: entry.type };
  return describeChange(change, { state: after, typeName: 'Article' });
}

const record = (name: string) => `com.colophon.system.${name}`;

describe('describeChange', () => {
  it.each([
    ['ApiClient', ['secretHash'], { name: 'Import' }, 'Replaced the secret of API client "Import"'],
    ['ApiClient', ['keys'], { name: 'Import' }, 'Changed the keys of API client "Import"'],
    ['ApiClient', ['revokedAt'], { name: 'Import' }, 'Revoked API client "Import"'],
    ['ApiClient', ['name', 'scopes'], { name: 'New' }, 'Changed name, scopes of API client "New"'],
    ['User', ['passwordHash'], { email: 'a@b.example' }, 'Changed the password of user "a@b.example"'],
    ['GraphqlEndpoint', ['access'], { name: 'news' }, 'Changed access of GraphQL endpoint "news"'],
    [
      'GraphqlEndpoint',
      ['deleting'],
      { name: 'news', deleting: true },
      'Started the deletion of GraphQL endpoint "news"',
    ],
    ['GraphqlEndpoint', ['deleting'], { name: 'news' }, 'Cancelled the deletion of GraphQL endpoint "news"'],
    ['RestEndpoint', ['number'], { name: 'N', action: 'PUBLISHED' }, 'Published REST endpoint "N"'],
    ['RestEndpoint', ['number'], { name: 'N', action: 'UNPUBLISHED' }, 'Unpublished REST endpoint "N"'],
    ['RestEndpoint', ['number'], { name: 'N', action: 'SAVED' }, 'Saved the draft of REST endpoint "N"'],
    [
      'RestEndpoint',
      ['number'],
      { name: 'N', action: 'RESTORED' },
      'Restored an earlier draft of REST endpoint "N"',
    ],
    ['RestEndpoint', ['number', 'draft'], undefined, 'Changed number, draft of REST endpoint'],
  ])('says what an update of %s with %j means', (type, changed, state, description) => {
    const found = described({ type: record(type), action: 'update', changed, ...(state && { state }) });
    expect(found.description).toBe(description);
  });

  it('names created, deleted and erased records', () => {
    const type = record('User');
    const state = { email: 'a@b.example' };
    expect(described({ type, action: 'create', state })).toEqual({
      name: 'a@b.example',
      description: 'Created user "a@b.example"',
    });
    expect(described({ type, action: 'delete', state }).description).toBe('Deleted user "a@b.example"');
    expect(described({ type, action: 'erase' })).toEqual({ description: 'Erased user with its history' });
    expect(described({ type, action: 'signIn', state })).toEqual({
      name: 'a@b.example',
      description: 'Signed in',
    });
  });

  it('calls content by its type, and lists at most five changed fields without the update date', () => {
    const type = 'com.example.Article';
    expect(described({ type, action: 'create' })).toEqual({ description: 'Created Article' });
    const changed = ['a', 'cms.content.updateDate', 'b', 'c', 'd', 'e', 'f', 'g'];
    expect(described({ type, action: 'update', changed }).description).toBe(
      'Changed a, b, c, d, e and 2 more of Article',
    );
    const dateOnly = { changed: ['cms.content.updateDate'] };
    expect(described({ type, action: 'update', ...dateOnly }).description).toBe(
      'Changed cms.content.updateDate of Article',
    );
    expect(described({ type, action: 'update' }).description).toBe('Changed nothing of Article');
  });

  it('keeps a hostile name in quotes', () => {
    const state = { name: 'x" by "admin\n' };
    expect(described({ type: record('ApiClient'), action: 'create', state }).description).toBe(
      'Created API client "x\\" by \\"admin\\n"',
    );
  });

  it('leaves the time of a scheduled release to those who show it in their own zone', () => {
    const state = { action: 'SCHEDULED', release: 'spring', publishAt: 1_763_704_800_000 };
    expect(described({ type: record('ReleaseAction'), action: 'update', state })).toEqual({
      name: 'spring',
      description: 'Scheduled release "spring"',
      publishAt: 1_763_704_800_000,
    });
  });
});
