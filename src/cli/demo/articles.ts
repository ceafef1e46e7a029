/**
 * The people, sections, pictures, articles and events of the demo.
 */
import type { JsonObject } from '../../model/content-type.ts';
import { foundedMs, identify, refer, toSlug } from './identity.ts';
import { type Story, stories } from './stories.ts';

/** The towns with their places on the map. */
const places = [
  ['Aldmoor', 'GB', 54.1, -2.4],
  ['Brackwater', 'GB', 51.4, 0.9],
  ['Cinder Hill', 'IE', 53.2, -8.1],
  ['Dunmere', 'IE', 52.6, -7.3],
  ['Eastferry', 'NL', 52.9, 5.6],
  ['Foxglen', 'GB', 56.8, -4.2],
  ['Greywick', 'NL', 51.7, 3.9],
  ['Hollowby', 'DK', 55.6, 9.4],
] as const;
export const towns = places.map(([name]) => name);

const people = [
  ['Ada Quill', 'She has reported on councils for twenty years, and owns no umbrella.'],
  ['Ben Marlow', 'He writes about buses and trams, and takes notes on tickets.'],
  ['Cleo Hart', 'She knows every studio and every stage.'],
  ['Dan Osei', 'He rows, badly, and writes about those who do it well.'],
  ['Eva Lindqvist', 'She is a biologist, and counts before she writes.'],
  ['Femi Adeyemi', 'He taught history before he began to write it.'],
  ['Otto Quill', 'He takes pictures, and the words that belong to them.'],
] as const;
export const authors = people.map(([name]) => name);

/** The sections in their order, each with who tells its stories the first and the second time. */
const sections: Readonly<Record<string, readonly [first: string, second: string]>> = {
  'Town hall': ['Ada Quill', 'Otto Quill'],
  'Town life': ['Otto Quill', 'Ada Quill'],
  Transport: ['Ben Marlow', 'Ben Marlow'],
  Culture: ['Cleo Hart', 'Femi Adeyemi'],
  Nature: ['Eva Lindqvist', 'Eva Lindqvist'],
  Sports: ['Dan Osei', 'Otto Quill'],
  Schools: ['Femi Adeyemi', 'Cleo Hart'],
};
/** The sections that are part of another one. */
const parents: Readonly<Record<string, string>> = { Schools: 'Town life' };

/** The sections; those that others are part of are in the first list. */
export function listSections(): readonly JsonObject[][] {
  const all = Object.keys(sections).map((name, index) => ({
    ...identify('Section', name, foundedMs),
    slug: toSlug(name),
    name,
    ...(parents[name] && { parent: refer('Section', parents[name]) }),
    order: index + 1,
  }));
  return [all.filter(({ parent }) => !parent), all.filter(({ parent }) => parent)];
}

/** The authors, whose portraits are pictures of their names. */
export function listAuthors(): JsonObject[] {
  return people.map(([name, biography]) => ({
    ...identify('Author', name, foundedMs),
    slug: toSlug(name),
    name,
    email: `${toSlug(name)}@news.example`,
    biography: `<p>${biography}</p>`,
    portrait: refer('Image', name),
  }));
}

const dayMs = 86_400_000;
/** The time between two articles. */
const pauseMs = 9 * dayMs;
const firstMs = Date.UTC(2025, 0, 5, 8);
/** How long an article takes until it is published. */
const writingMs = 36_000_000;

interface Telling {
  readonly story: Story;
  readonly town: (typeof places)[number];
  readonly headline: string;
  readonly index: number;
}

/** The articles about the first town of each story, and those about the second, which refer to the former. */
export function listArticles(): readonly JsonObject[][] {
  const first = stories.map((story, index) => tell(story, index, index));
  const second = stories.map((story, index) => tell(story, index + stories.length, index + 7));
  return [
    first.map((telling) => toArticle(telling)),
    second.map((telling, index) => toArticle(telling, first[index])),
  ];
}

function tell(story: Story, index: number, place: number): Telling {
  const town = places[place % places.length] ?? places[0];
  return { story, index, town, headline: `${town[0]} ${story.event}` };
}

function toArticle({ story, town, headline, index }: Telling, earlier?: Telling): JsonObject {
  const { section, tags, minutes, summary, body } = story;
  const [name, country, latitude, longitude] = town;
  const eventDate = firstMs + index * pauseMs;
  const [author = '', successor = ''] = sections[section] ?? [];
  const more = earlier
    ? [`${earlier.town[0]} did the same half a year ago, and {town} has learned from it.`]
    : [];
  return {
    ...identify('Article', headline, eventDate + writingMs),
    slug: toSlug(headline),
    headline,
    summary,
    body: [...body, ...more].map((text) => `<p>${text.replaceAll('{town}', name)}</p>`).join(''),
    blocks: toBlocks(story, name),
    author: refer('Author', earlier ? successor : author),
    section: refer('Section', section),
    ...(earlier && { related: [refer('Article', earlier.headline)] }),
    lead: refer('Image', name),
    tags: [...tags],
    readingMinutes: minutes + more.length,
    score: (50 + ((index * 7) % 10) * 5) / 100,
    featured: index % 10 === 9,
    sources: [{ title: `The town of ${name}`, url: `https://${toSlug(name)}.example/`, accessed: eventDate }],
    place: { name, country, latitude, longitude },
    eventDate,
  };
}

function toBlocks({ quote, facts }: Story, town: string): JsonObject[] {
  return [
    ...(quote ? [{ _type: 'Quote', text: quote[0], by: quote[1] }] : []),
    ...(facts ? [{ _type: 'Box', title: facts[0], text: facts[1] }] : []),
    { _type: 'Picture', image: refer('Image', town), caption: `${town}, seen from the hills` },
  ];
}

/** The events that fit their type. */
export const listEvents = (): JsonObject[] => [
  {
    ...identify('Event', 'Night of the libraries', foundedMs),
    title: 'Night of the libraries',
    day: '2025-09-19',
    opens: '2025-09-19T20:00:00+01:00',
    price: '0.00',
    town: 'Brackwater',
    article: refer('Article', 'Brackwater opens its library again'),
  },
  {
    ...identify('Event', 'Bread from the mill', foundedMs),
    title: 'Bread from the mill',
    day: '2025-04-12',
    opens: '2025-04-12T09:30:00+01:00',
    price: '4.50',
    town: 'Aldmoor',
    article: refer('Article', 'Aldmoor turns the mill again'),
  },
  {
    ...identify('Event', 'A walk along the new river', foundedMs),
    title: 'A walk along the new river',
    day: '2025-06-01',
    price: '12.00',
    town: 'Hollowby',
  },
];

/** The events from before an event needed a day and a town, and a price had two digits. */
export const listFormerEvents = (): JsonObject[] => [
  { ...identify('Event', 'Spring fair', foundedMs), title: 'Spring fair', price: '2.995', town: 'Dunmere' },
  { ...identify('Event', 'Choir evening', foundedMs), title: 'Choir evening', day: '2025-03-22' },
];
