/**
 * Trusted documents: the GraphQL documents of an endpoint that clients may run by their IDs, the SHA-256 of their texts.
 *
 * All documents of an endpoint are one record. So a change takes effect as a whole, and two changes at once cannot exceed the limits.
 */

import { hash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { deleteRecord } from '../../access/expiring-records.ts';
import { findAll } from '../../access/find-all-records.ts';
import { invalidBody, isDomainError, type Problem } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import { findRecord } from '../endpoints/system-records.ts';
import type { DocumentProblem, GraphqlApi } from '../operation.ts';

/** A stored document. */
export interface TrustedDocument {
  /** The SHA-256 of the text, in hexadecimal. */
  readonly hash: string;
  /** The names of its operations; absent if they have none. */
  readonly name?: string;
  readonly text: string;
  readonly storedAt: number;
}

/** A change of the documents of an endpoint: the texts to add, and the hashes of those to remove. */
export interface DocumentsChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** What a change did, and how many documents the endpoint has then. */
export interface ChangedDocuments {
  readonly added: number;
  readonly removed: number;
  readonly stored: number;
}

/** An endpoint, by its ID, with its API. */
export interface DocumentsOwner {
  readonly endpoint: { readonly id: string };
  readonly api: GraphqlApi;
}

/** The documents of all endpoints. */
export interface TrustedDocuments {
  /** Lists the documents of an endpoint in the order in which they were added. */
  list(endpointId: string): Promise<readonly TrustedDocument[]>;
  /** Lists all documents, by the ID of their endpoint. */
  listAll(): Promise<ReadonlyMap<string, readonly TrustedDocument[]>>;
  /**
   * Adds documents, those that are stored already excepted, and removes others, all or nothing.
   *
   * Errors: invalid_body for a document that the endpoint cannot run, or for more than the limits.
   */
  change(owner: DocumentsOwner, change: DocumentsChange): Promise<ChangedDocuments>;
  deleteOf(endpointId: string): Promise<void>;
  /** Returns a text that changes with every write by any process. */
  revision(): Promise<string>;
}

/** What an endpoint may have at most. */
const documentLimits = { documents: 2_000, characters: 2_000_000 };

/** Returns the hash that identifies a document. */
export const hashDocument = (text: string) => hash('sha256', text, 'hex');

/** Returns the ID by which clients name a document. */
export const toDocumentId = (hash: string) => `sha256:${hash}`;

const className = 'com.colophon.system.TrustedDocuments';

/** Creates the service over the system's content service. */
export function createTrustedDocuments({
  system,
  clock,
}: {
  system: ContentService;
  clock: Clock;
}): TrustedDocuments {
  const idOf = (endpointId: string) => toHashedUuid(`trusted documents ${endpointId}`);
  const find = (endpointId: string) => findRecord(system, className, idOf(endpointId));

  const list: TrustedDocuments['list'] = async (endpointId) => {
    const record = await find(endpointId);
    return record ? documentsIn(record) : [];
  };

  const change: TrustedDocuments['change'] = async ({ endpoint, api }, { add, remove }) => {
    const added = await toDocuments(api, add, clock.nowMs());
    const removed = new Set(remove);
    for (;;) {
      const record = await find(endpoint.id);
      const present = record ? documentsIn(record) : [];
      const kept = present.filter((document) => !removed.has(document.hash));
      const known = new Set(kept.map((document) => document.hash));
      const fresh = added.filter((document) => !known.has(document.hash));
      const documents = [...kept, ...fresh];
      const counts = { added: fresh.length, removed: present.length - kept.length, stored: documents.length };
      if (counts.added + counts.removed === 0) return counts;
      if (counts.added > 0) assertWithinLimits(documents);
      if (await write(endpoint.id, record, documents)) return counts;
    }
  };

  /** Writes the documents of an endpoint; returns false if others have written since the record was read. */
  async function write(
    endpointId: string,
    record: StoredAsset | undefined,
    documents: readonly TrustedDocument[],
  ): Promise<boolean> {
    const id = idOf(endpointId);
    const body = { documents: documents.map((document) => ({ ...document })), count: documents.length };
    try {
      if (record) await system.update({ id, body, ifVersions: [record.version] }, {});
      else await system.create({ _id: id, _type: className, endpoint: endpointId, ...body }, {});
      return true;
    } catch (error) {
      const isOvertaken =
        isDomainError(error, 'precondition_failed') ||
        isDomainError(error, 'not_found') ||
        isDomainError(error, 'id_in_use');
      if (isOvertaken) return false;
      throw error;
    }
  }

  return {
    list,
    listAll: () => listTrustedDocuments(system),
    change,
    deleteOf: (endpointId) => deleteRecord(system, idOf(endpointId)),
    revision: () => system.revision(className),
  };
}

/** Lists all documents, by the ID of their endpoint. */
export async function listTrustedDocuments(
  system: ContentService,
): Promise<ReadonlyMap<string, readonly TrustedDocument[]>> {
  const records = await findAll(system, className);
  return new Map(records.map((record) => [String(record.asset.endpoint), documentsIn(record)]));
}

/** Reads a record, which was checked when it was written. */
const documentsIn = ({ asset }: StoredAsset) => asset.documents as unknown as readonly TrustedDocument[];

/** Checks the texts to add, giving way to other work between them. Errors: invalid_body. */
async function toDocuments(
  api: GraphqlApi,
  texts: readonly string[],
  storedAt: number,
): Promise<TrustedDocument[]> {
  const documents = new Map<string, TrustedDocument>();
  const problems: Problem[] = [];
  for (const [index, text] of texts.entries()) {
    await yieldToEventLoop();
    const checked = checkDocument(api, text);
    problems.push(...checked.problems.map((problem) => ({ path: `add[${index}]`, ...problem })));
    const name = checked.names.join(', ');
    const document = { hash: hashDocument(text), text, storedAt };
    documents.set(document.hash, name === '' ? document : { ...document, name });
  }
  if (problems.length > 0) throw invalidBody(problems);
  return [...documents.values()];
}

function assertWithinLimits(documents: readonly TrustedDocument[]): void {
  const characters = documents.reduce((sum, { text }) => sum + text.length, 0);
  if (documents.length <= documentLimits.documents && characters <= documentLimits.characters) return;
  const limits = `at most ${documentLimits.documents} documents and ${documentLimits.characters} characters`;
  const message = `gives the endpoint ${documents.length} documents of ${characters} characters: it can have ${limits}`;
  throw invalidBody([{ path: 'add', message }]);
}

/** The names of the operations of a document, and its problems. */
interface CheckedDocument {
  readonly names: readonly string[];
  readonly problems: readonly DocumentProblem[];
}

/** Checks a document against the schema of an endpoint. */
export function checkDocument(api: GraphqlApi, text: string): CheckedDocument {
  const outlines = api.listOperations(text);
  if ('problems' in outlines) return { names: [], problems: outlines.problems };
  const names = outlines.flatMap(({ name }) => (name === undefined ? [] : [name]));
  const [first, second] = outlines;
  if (!first) return { names, problems: [{ message: 'There is no operation', line: 1, column: 1 }] };
  for (const { name } of outlines) {
    // Validation covers the whole document, so the problems of one operation suffice.
    const prepared = api.prepare(text, second ? name : undefined);
    const problems = 'problems' in prepared ? prepared.problems : prepared.checkLists();
    if (problems.length > 0) return { names, problems };
  }
  return { names, problems: [] };
}
