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
import type { ContentService } from '../../content/content-service.ts';
import { authors, listArticles, listAuthors, listSections, towns } from './articles.ts';
import { createMissing, hasAsset, unless } from './create-missing.ts';
import { readFormerTypes } from './demo-types.ts';
import { drawPortrait, drawTown } from './draw-picture.ts';
import { listEvents, listFormerEvents } from './events.ts';
import { foundedMs, identify, idOf, toSlug } from './identity.ts';
import { publishNews } from './news-endpoint.ts';
import { createOwnWebhook, moveOwnWebhook } from './own-webhook.ts';
import { stageReleases } from './stage-releases.ts';

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
