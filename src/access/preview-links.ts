/**
 * Preview links: random tokens with which anyone reads the content of one release until the link expires or is revoked.
 *
 * Only the hash of a token is stored. A link also ends when its release is deleted or all its drafts are published, in the same
 * transaction; see `content/drafts/publication/`. It works only while the user or API client that created it has access.
 */
import { forbidden, invalidBody, isDomainError, notFound, unauthorized } from '../base/errors.ts';
import { type Account, isSameAccount, type RequestOrigins, toAccount } from '../base/request-origin.ts';
import type { Clock, IdSource } from '../base/runtime.ts';
import type { ContentService } from '../content/content-service.ts';
import { previewLinkClass } from '../content/drafts/draft.ts';
import type { Asset, JsonObject } from '../model/content-type.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';
import type { ApiClients } from './clients/api-clients.ts';
import { hashSecret } from './clients/secret.ts';
import { deleteExpired, deleteRecord, findRecords } from './expiring-records.ts';
import type { Users } from './users/users.ts';

/** A preview link without its token. */
export interface PreviewLink {
  readonly id: string;
  readonly release: string;
  /** Milliseconds since 1970-01-01T00:00Z. */
  readonly createdAt: number;
  /** The name of the user or client that created it. */
  readonly createdBy?: string;
  readonly expiresAt: number;
}

/** The preview links of all releases. */
export type PreviewLinks = ReturnType<typeof createPreviewLinks>;

const dayMs = 24 * 60 * 60 * 1000;
const usualMs = 7 * dayMs;
const longestMs = 30 * dayMs;
/** The most links of a release. */
const maxLinks = 100;

/** Creates the service, which keeps the links in the system's content service. */
export function createPreviewLinks({
  system,
  clock,
  ids,
  origins,
  users,
  clients,
}: {
  system: ContentService;
  clock: Clock;
  ids: IdSource;
  origins: RequestOrigins;
  users: Pick<Users, 'find'>;
  clients: Pick<ApiClients, 'get'>;
}) {
  /** Finds the links of a release that have not expired, also those whose creators have no access. */
  async function find(release: string): Promise<readonly StoredLink[]> {
    const where = 'release = ? and expiresAt > ?';
    const query = { from: previewLinkClass, where, values: [release, clock.nowMs()], withCount: false };
    const { items } = await system.find({ ...query, offset: 0, limit: maxLinks }, {});
    return items.map(({ asset }) => toStoredLink(asset));
  }

  /** Checks whether the creator of a link has access. Senders without an account, such as commands, always have. */
  async function hasAccess({ creator }: StoredLink): Promise<boolean> {
    if (!creator) return false;
    const { kind, id = '' } = creator;
    if (kind === 'user') {
      const user = await users.find(id);
      return user !== undefined && user.disabledAtMs === undefined;
    }
    if (kind !== 'client') return true;
    try {
      return (await clients.get(id)).revokedAtMs === undefined;
    } catch (error) {
      if (isDomainError(error, 'not_found')) return false;
      throw error;
    }
  }

  /** Separates the links of a release by whether they work. */
  async function divide(release: string) {
    const links = await find(release);
    const works = await Promise.all(links.map(hasAccess));
    return {
      working: links.filter((_, n) => works[n]),
      ended: links.filter((_, n) => !works[n]),
    };
  }

  return {
    /** Lists the links of a release that have not ended. */
    list: async (release: string): Promise<readonly PreviewLink[]> =>
      (await divide(release)).working.map(({ link }) => link),
    /** Creates a link, whose token is available here only. Errors: invalid_body for the expiry, and when there are too many links. */
    async create({
      release,
      expiresAt: wanted,
    }: {
      readonly release: string;
      readonly expiresAt?: number | undefined;
    }): Promise<{ readonly link: PreviewLink; readonly token: string }> {
      const createdAt = clock.nowMs();
      const expiresAt = wanted ?? createdAt + usualMs;
      if (expiresAt <= createdAt || expiresAt > createdAt + longestMs)
        throw invalidBody([
          { path: 'expiresAt', message: 'must be in the future, at most 30 days from now' },
        ]);
      await deleteExpired(system, previewLinkClass, createdAt);
      const { working, ended } = await divide(release);
      await Promise.all(ended.map(({ link }) => deleteRecord(system, link.id)));
      if (working.length >= maxLinks)
        throw invalidBody([
          { path: '', message: `The release already has ${maxLinks} preview links: revoke some first` },
        ]);
      const { by } = origins.current();
      const { name: createdBy } = by;
      const token = ids.secret();
      const facts = { release, createdAt, ...(createdBy !== undefined && { createdBy }), expiresAt };
      const creator: JsonObject = { ...toAccount(by) };
      const record = { _type: previewLinkClass, ...facts, creator, tokenHash: hashSecret(token) };
      const { asset } = await system.create(record, {});
      return { link: { id: asset._id, ...facts }, token };
    },
    /** Revokes a link; with `ownOnly`, one of the sender. Errors: not_found, forbidden. */
    async revoke({
      release,
      id,
      ownOnly,
    }: {
      readonly release: string;
      readonly id: string;
      readonly ownOnly: boolean;
    }): Promise<void> {
      const found = (await find(release)).find(({ link }) => link.id === id.toLowerCase());
      if (!found) throw notFound(id, 'preview link');
      if (ownOnly && !isSameAccount(found.creator, origins.current().by))
        throw forbidden('Authors end only the preview links that they have created');
      await deleteRecord(system, found.link.id);
    },
    /** Returns the release of a token. Errors: unauthorized for one that is unknown or has ended. */
    async releaseOf(token: string): Promise<string> {
      const tokenHash = hashSecret(token);
      const found = await findRecords(system, {
        from: previewLinkClass,
        where: 'tokenHash = ?',
        value: tokenHash,
      });
      const [stored] = found.map(toStoredLink);
      if (!stored)
        throw unauthorized('The preview link does not exist: it was revoked, or its release has ended');
      if (stored.link.expiresAt <= clock.nowMs()) throw unauthorized('The preview link has expired');
      if (!(await hasAccess(stored))) throw unauthorized('The creator of the preview link has no access');
      return stored.link.release;
    },
  };
}

interface StoredLink {
  readonly link: PreviewLink;
  /** Absent in records of links that name no account. */
  readonly creator?: Account;
}

function toStoredLink({ _id: id, release, createdAt, createdBy, creator, expiresAt }: Asset): StoredLink {
  const link = {
    id,
    release: String(release),
    createdAt: Number(createdAt),
    ...(typeof createdBy === 'string' && { createdBy }),
    expiresAt: Number(expiresAt),
  };
  // Only accounts are stored in this member.
  return isJsonObject(creator) ? { link, creator: creator as unknown as Account } : { link };
}
