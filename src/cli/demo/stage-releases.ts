/**
 * The releases of the demo: one under way, and one that is scheduled.
 */
import type { ContentService } from '../../content/content-service.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { createMissing, unless } from './create-missing.ts';
import { idOf, refer } from './identity.ts';

const monthMs = 30 * 86_400_000;

/** Creates both releases with their drafts; one that is there already keeps its schedule. Errors: not_supported. */
export async function stageReleases({ inRelease, releases }: ContentService, nowMs: number): Promise<void> {
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
