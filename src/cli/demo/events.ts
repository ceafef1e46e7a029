/**
 * The events of the demo, two of which are older than rules of their type.
 */
import type { JsonObject } from '../../model/content-type.ts';
import { foundedMs, identify, refer } from './identity.ts';

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
