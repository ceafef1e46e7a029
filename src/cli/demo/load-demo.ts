/**
 * Loads the demo: content with pictures, drafts and content that no longer fits, endpoints and a webhook.
 *
 * Everything is loaded once. The last asset says that a store has everything: from then on, a start changes nothing that people have
 * changed or deleted. IDs are derived from names, so that a load which was interrupted continues.
 */
import { Readable } from 'node:stream';
import { toCatalog } from '../../app/chosen-types.ts';
import { composeContent } from '../../app/compose/compose-commands.ts';
import type { Services } from '../../app/compose/services.ts';
import { type ErrorCode, isDomainError } from '../../base/errors.ts';
import type { ContentCalls } from '../../content/attribute-calls.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { JsonObject } from '../../model/content-type.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import {
  authors,
  listArticles,
  listAuthors,
  listEvents,
  listFormerEvents,
  listSections,
  towns,
} from './articles.ts';
import { readFormerTypes } from './demo-types.ts';
import { drawPortrait, drawTown } from './draw-picture.ts';
import { foundedMs, identify, idOf, refer, toSlug } from './identity.ts';
import { publishNews, receiverPath } from './news-endpoint.ts';

/** Loads what a new store lacks; `baseUrl` is the address of this server. */
export async function loadDemo(services: Services, baseUrl: string): Promise<void> {
  const origin = { by: { kind: 'command', name: 'demo' } } as const;
  await services.origins.runAs(origin, () => load(services, baseUrl));
}

async function load(services: Services, baseUrl: string): Promise<void> {
  const { content, restEndpoints, webhooks, clock } = services;
  if (!(await isLoaded(content))) {
    await publishNews(restEndpoints);
    // A store without a change log has no webhooks and no releases.
    await unless(['not_supported', 'value_in_use'], () => createOwnWebhook(webhooks, baseUrl));
    await loadContent(services);
    await unless(['not_supported'], () => stageReleases(content, clock.nowMs()));
    await createMissing(content, [imprint]);
  }
  await unless(['not_supported'], () => moveOwnWebhook(webhooks, baseUrl));
}

/** The asset that is created last. */
const imprint = {
  ...identify('Text', 'Imprint', foundedMs),
  _type: 'com.colophon.cms.db.Text',
  name: 'The Eight Towns',
  text: '<p>News of eight towns that do not exist.</p>',
};

/** Whether the store has the last asset, or has had it. */
async function isLoaded({ history, ...content }: ContentService): Promise<boolean> {
  const { _id: id } = imprint;
  if (await hasAsset(content, id)) return true;
  const known = () => history.list({ id, limit: 1 }, {});
  return (await unless(['not_found', 'not_supported'], known)) !== undefined;
}

async function loadContent(services: Services): Promise<void> {
  const { content } = services;
  for (const name of authors)
    await createPicture(services, { name, draw: drawPortrait, alternativeText: `Silhouette of ${name}` });
  for (const name of towns)
    await createPicture(services, { name, draw: drawTown, alternativeText: `${name} among its hills` });
  // References must point at what exists, so each list waits for the one before.
  for (const assets of [...listSections(), listAuthors(), ...listArticles(), listEvents()])
    await createMissing(content, assets);
  await createUnfit(services);
}

/** Draws, uploads and creates a picture, unless there is one. */
async function createPicture(
  { content, upload }: Services,
  { name, draw, alternativeText }: { name: string; draw: (name: string) => Buffer; alternativeText: string },
): Promise<void> {
  if (await hasAsset(content, idOf('Image', name))) return;
  const open = () => Readable.from([draw(name)]);
  const { hash } = await upload({ open, name: `${toSlug(name)}.png` });
  const file = { hash, alt: alternativeText };
  await createMissing(content, [{ ...identify('Image', name, foundedMs), file, alternativeText }]);
}

/** Creates the assets that no longer fit their type, as a program with the former types does. */
async function createUnfit({ config, logger, clock, ids, origins }: Services): Promise<void> {
  const types = readFormerTypes();
  const chosen = {
    types,
    catalog: toCatalog(types),
    known: { served: types, populated: [] },
    differences: [],
  };
  const former = await composeContent(config, { logger, clock, ids, origins }, { chosen, isReadOnly: false });
  try {
    await createMissing(former.content, listFormerEvents());
  } finally {
    await former.close();
  }
}

/** Creates the webhook. Errors: not_supported; value_in_use when there is one. */
async function createOwnWebhook(webhooks: Webhooks, baseUrl: string): Promise<void> {
  await webhooks.create({
    name: 'Search index',
    url: baseUrl + receiverPath,
    types: ['com.example.news.Article'],
    actions: ['create', 'update', 'delete'],
    payload: 'asset',
  });
}

/** Points the webhook to the address of this start, if it is there and still has that of another start. Errors: not_supported. */
async function moveOwnWebhook(webhooks: Webhooks, baseUrl: string): Promise<void> {
  const url = baseUrl + receiverPath;
  for (const { webhook } of await webhooks.list()) {
    const { hostname, pathname } = new URL(webhook.url);
    const isOwn = hostname === new URL(url).hostname && pathname === new URL(url).pathname;
    if (isOwn && webhook.url !== url) await webhooks.update({ id: webhook.id, changes: { url } });
  }
}

const monthMs = 30 * 86_400_000;

/** Creates both releases with their drafts; one that is there already keeps its schedule. Errors: not_supported. */
async function stageReleases({ inRelease, releases }: ContentService, nowMs: number): Promise<void> {
  await unless(['value_in_use'], () => releases.create({ name: 'spring', title: 'Spring edition' }));
  const spring = inRelease('spring', {});
  await spring.update(
    change('Aldmoor gets a night bus', { headline: 'Aldmoor gets a second night bus' }),
    {},
  );
  await spring.update(change('Hollowby teaches its bees to share', { featured: true }), {});
  // Its author and its text are still missing.
  await createMissing(spring, [draft('Foxglen dances in the streets')]);
  await unless(['value_in_use'], () => releases.create({ name: 'book-fair', title: 'Book fair' }));
  const text =
    '<p>Forty publishers come to Brackwater, and each brings one book that nobody has read yet.</p>';
  const author = refer('Author', 'Cleo Hart');
  const section = refer('Section', 'Culture');
  const complete = { ...draft('Brackwater invites forty publishers'), body: text, author, section };
  await createMissing(inRelease('book-fair', {}), [complete]);
  const { publishAt } = await releases.get('book-fair');
  if (publishAt === undefined) await releases.schedules.schedule('book-fair', nowMs + monthMs);
}

const change = (headline: string, body: JsonObject) => ({ id: idOf('Article', headline), body });

function draft(headline: string): JsonObject {
  const { _ref, _type } = refer('Article', headline);
  return { _id: _ref, _type, slug: headline.toLowerCase().replaceAll(' ', '-'), headline };
}

/** Runs work, and returns `undefined` where it has one of these errors. */
async function unless<Result>(
  codes: readonly ErrorCode[],
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (codes.some((code) => isDomainError(error, code))) return undefined;
    throw error;
  }
}

/** Creates the assets that are missing, all at once, so none may refer to another one. */
async function createMissing(
  content: Pick<ContentCalls, 'create'>,
  assets: readonly JsonObject[],
): Promise<void> {
  await Promise.all(assets.map((asset) => unless(['id_in_use'], () => content.create(asset, {}))));
}

async function hasAsset(content: Pick<ContentCalls, 'get'>, id: string): Promise<boolean> {
  return (await unless(['not_found'], () => content.get(id, {}))) !== undefined;
}
