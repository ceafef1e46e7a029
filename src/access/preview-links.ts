/**
 * Preview links: random tokens with which anyone reads the content of one release until the link expires or is revoked.
 *
 * Only the hash of a token is stored. A link also ends when its release is deleted or all its drafts are published, in the same
 * transaction; see `content/drafts/publication/`.
 */
import { invalidBody, notFound, unauthorized } from '../base/errors.ts';
import type { RequestOrigins } from '../base/request-origin.ts';
import type { Clock, IdSource } from '../base/runtime.ts';
import type { ContentService } from '../content/content-service.ts';
import { previewLinkClass } from '../content/drafts/draft-record.ts';
import type { Asset } from '../model/content-type.ts';
import { hashSecret } from './clients/secret.ts';
import { deleteExpired, deleteRecord, findRecords } from './expiring-records.ts';

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
export interface PreviewLinks {
  /** Lists the links of a release that have not expired. */
  list(release: string): Promise<readonly PreviewLink[]>;
  /** Creates a link, whose token is available here only. Errors: invalid_body for the expiry, and when there are too many links. */
  create(link: {
    readonly release: string;
    readonly expiresAt?: number | undefined;
  }): Promise<{ readonly link: PreviewLink; readonly token: string }>;
  /** Errors: not_found. */
  revoke(release: string, id: string): Promise<void>;
  /** Returns the release of a token. Errors: unauthorized for one that is unknown, revoked or expired. */
  releaseOf(token: string): Promise<string>;
}

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
}: {
  system: ContentService;
  clock: Clock;
  ids: IdSource;
  origins: RequestOrigins;
}): PreviewLinks {
  async function list(release: string): Promise<readonly PreviewLink[]> {
    const where = 'release = ? and expiresAt > ?';
    const query = { from: previewLinkClass, where, values: [release, clock.nowMs()], withCount: false };
    const { items } = await system.find({ ...query, offset: 0, limit: maxLinks }, {});
    return items.map(({ asset }) => toLink(asset));
  }

  return {
    list,
    async create({ release, expiresAt: wanted }) {
      const createdAt = clock.nowMs();
      const expiresAt = wanted ?? createdAt + usualMs;
      if (expiresAt <= createdAt || expiresAt > createdAt + longestMs)
        throw invalidBody([
          { path: 'expiresAt', message: 'must be in the future, at most 30 days from now' },
        ]);
      await deleteExpired(system, previewLinkClass, createdAt);
      if ((await list(release)).length >= maxLinks)
        throw invalidBody([
          { path: '', message: `The release already has ${maxLinks} preview links: revoke some first` },
        ]);
      const { name: createdBy } = origins.current().by;
      const token = ids.secret();
      const facts = { release, createdAt, ...(createdBy !== undefined && { createdBy }), expiresAt };
      const record = { _type: previewLinkClass, ...facts, tokenHash: hashSecret(token) };
      const { asset } = await system.create(record, {});
      return { link: { id: asset._id, ...facts }, token };
    },
    async revoke(release, id) {
      const link = (await list(release)).find((one) => one.id === id.toLowerCase());
      if (!link) throw notFound(id, 'preview link');
      await deleteRecord(system, link.id);
    },
    async releaseOf(token) {
      const tokenHash = hashSecret(token);
      const found = await findRecords(system, {
        from: previewLinkClass,
        where: 'tokenHash = ?',
        value: tokenHash,
      });
      const [link] = found.map(toLink);
      if (!link)
        throw unauthorized('The preview link does not exist: it was revoked, or its release has ended');
      if (link.expiresAt <= clock.nowMs()) throw unauthorized('The preview link has expired');
      return link.release;
    },
  };
}

function toLink({ _id: id, release, createdAt, createdBy, expiresAt }: Asset): PreviewLink {
  return {
    id,
    release: String(release),
    createdAt: Number(createdAt),
    ...(typeof createdBy === 'string' && { createdBy }),
    expiresAt: Number(expiresAt),
  };
}
