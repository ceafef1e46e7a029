/** The messages of refused requests: each says what to write, by the names that the caller has sent. */
import { beforeAll, expect, it } from 'vitest';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnSqlite } from '../../../support/stores.ts';
import { makeTypesFolder } from '../../../support/types-folder.ts';
import { by, open, send } from '../routes/routes-context.ts';

const sdl = `
type Event @contentType(class: "msg.Event") {
  title: String! @indexed
  starts: EpochMillis
  seats: Int
  state: EventState
  venue: Venue
  place: EventPlace
  places: [EventPlace!]
  open: Boolean
}
type Venue @contentType(class: "msg.Venue") { name: String }
type EventPlace { city: String street: String }
enum EventState { PLANNED CANCELLED }
`;

const find = `query Find($w: String, $v: JSON = 1, $vs: [JSON!], $n: Int, $o: Int, $s: String = "title", $sorts: [SortInput!], $c: String) {
  plain: eventList(where: $w, values: $vs, limit: $n, offset: $o, sortBy: $sorts, cursor: $c) { items { title } }
  one: eventList(where: "seats = ? or open = ?", values: [$v, true], sortBy: [{ field: $s }]) { count }
}`;
const facet = 'query Facet($f: String!) { eventList { facets(paths: [$f]) { path } } }';
const create = `mutation Create($event: CreateEventInput!, $places: [EventPlaceInput!], $at: EpochMillis) {
  createEvent(input: $event) { title }
  another: createEvent(input: { title: "x", starts: $at, places: $places }) { title }
}`;

/** What a message tells of a predicate; the column is that of the part that is wrong. */
const predicates: readonly [where: string, message: string][] = [
  ['title in (A, B)', 'Column 10: expected a value, or a list in brackets such as [A, B], found "("'],
  ['title not in [A, B]', 'Column 7: expected the operator "notIn", in one word, found "not"'],
  ['title not like "a"', 'Column 7: expected "not" before the whole comparison, found "not"'],
  ['title is null', 'Column 7: expected "=", found "is"'],
  ['title is not null', 'Column 7: expected "!=" in place of "is not", found "is"'],
  [
    'title like "%a%"',
    'Column 7: expected "contains" or "startsWith", which take no wildcards, found "like"',
  ],
  [
    'seats between 1 and 2',
    'Column 7: expected ">=" and "<=" in two comparisons joined by "and", found "between"',
  ],
  ['title == A', 'Column 8: expected a value behind one "=", found "="'],
  ['title exists', 'Column 7: expected "!= null", found "exists"'],
  ['title isnull', 'Column 7: expected "= null", found "isnull"'],
  [
    'venue.name = A',
    'Column 1: msg.Event has no field "venue.name"; "venue" is a reference: write "venue/name"',
  ],
  ['place/city = A', 'Column 1: "place" is no reference, so "/" cannot follow it: write "place.city"'],
  ['titel = A', 'Column 1: msg.Event has no field "titel". Did you mean "title"?'],
  ['place.ctiy = A', 'Column 1: msg.Event has no field "place.ctiy". Did you mean "place.city"?'],
  ['venue/nmae = A', 'Column 1: msg.Venue has no field "nmae". Did you mean "name"?'],
  [
    'state = PLANED',
    'Column 9: expected one of PLANNED, CANCELLED for "state" (EventState). Did you mean "PLANNED"?',
  ],
  [
    '_type = msg.Evnt',
    'Column 9: expected the class name or type ID of a content type for "_type". Did you mean "msg.Event"?',
  ],
  [
    'starts > "2026-01-01"',
    'Column 10: expected a whole number of milliseconds since 1970, from -8640000000000000 to 8640000000000000 without quotes for "starts" (EpochMillis); "2026-01-01" is 1767225600000',
  ],
];

const range = 'a whole number of milliseconds since 1970, from -8640000000000000 to 8640000000000000';

/** The problems of a body of the content management API. */
const bodies: readonly [asset: object, message: string][] = [
  [{ titel: 'x', title: 'y' }, 'titel is not a field of this type. Did you mean "title"?'],
  [
    { title: 'y', place: { town: 'a', ctiy: 'b' } },
    'place.town is not a field of this type; place.ctiy is not a field of this type. Did you mean "city"?',
  ],
  [{ title: 'y', state: 'planned' }, 'state must be one of PLANNED, CANCELLED. Did you mean "PLANNED"?'],
  [{ title: 'y', starts: '2026-01-01' }, `starts must be ${range}; "2026-01-01" is 1767225600000`],
  [
    { title: 'y', starts: '2026-01-01T10:00' },
    `starts must be ${range}; "2026-01-01T10:00" is 1767261600000`,
  ],
  [
    { title: 'y', starts: '2026-01-01T10:00:00.5+01:00' },
    `starts must be ${range}; "2026-01-01T10:00:00.5+01:00" is 1767258000500`,
  ],
  [{ title: 'y', starts: 'soon' }, `starts must be ${range}`],
  [{ title: 'y', starts: 9e15 }, `starts must be ${range}`],
  [
    { title: 'y', venue: { _ref: '0190a0c0-0000-7000-8000-000000000000', _type: 'Venue' } },
    'venue._type must be msg.Venue. Did you mean "msg.Venue"?',
  ],
];

/** Parameters of the content management API. */
const parameters: readonly [query: string, message: string][] = [
  ['from=Event', 'There is no content type "Event". Did you mean "msg.Event"?'],
  ['from=msg.Evnt', 'There is no content type "msg.Evnt". Did you mean "msg.Event"?'],
  ['from=msg.Event&limit=1&limit=2', '"limit" is given more than once'],
  ['from=msg.Event&where=a&where=b', '"where" is given more than once'],
  ['from=msg.Event&limit=ten', '"limit" must be a whole number'],
  [
    'from=msg.Event&sort=titel',
    '"sort" cannot be by "titel": msg.Event has no field "titel". Did you mean "title"?',
  ],
  [
    'from=msg.Event&sort=venue.name',
    '"sort" cannot be by "venue.name": msg.Event has no field "venue.name"; "venue" is a reference, which cannot be followed here',
  ],
  [
    'from=msg.Event&facets=titl',
    '"facets" cannot count the values of "titl": msg.Event has no field "titl". Did you mean "title"?',
  ],
  ['from=msg.Event&fields=tittle', 'msg.Event has no field "tittle". Did you mean "title"?'],
  ['from=msg.Event&include=vneue', 'msg.Event has no field "vneue". Did you mean "venue"?'],
  [
    'from=msg.Event&include=venue.name',
    'msg.Event has no field "venue.name"; "venue" is a reference: write "venue/name"',
  ],
];

/** Requests of routes, with the error's path. */
const routes: readonly [request: string, body: object | undefined, message: string, path: string][] = [
  [
    '/create?places[]=x',
    undefined,
    '"places[]" is an object: give its members, such as "places[0]/city"',
    'places[]',
  ],
  ['/create?places=x', undefined, '"places" is an object: give its members, such as "places/city"', 'places'],
  [
    '/create?event/titel=x',
    undefined,
    '"event/titel" names no member of CreateEventInput. Did you mean "title"?',
    'event/titel',
  ],
  [
    '/create?event/title=x&event/state=PLANED',
    undefined,
    '"event/state" must be one of PLANNED, CANCELLED. Did you mean "PLANNED"?',
    'event/state',
  ],
  ['/create?at=2026-01-01', undefined, `"at" must be ${range}; "2026-01-01" is 1767225600000`, 'at'],
  ['/create?at=9000000000000000', undefined, `"at" must be ${range}`, 'at'],
  [
    '/create',
    { event: { titel: 'x', title: 'y' } },
    '"event" is wrong at titel, which is no member of CreateEventInput. Did you mean "title"?',
    'event',
  ],
  ['/create', { at: '2026-01-01' }, `"at" must be ${range}; "2026-01-01" is 1767225600000`, 'at'],
  ['/find?n=101', undefined, '"n" must be at most 100', 'n'],
  ['/find?n=-1', undefined, '"n" must not be negative', 'n'],
  ['/find?o=-1', undefined, '"o" must not be negative', 'o'],
  ['/find?c=x', undefined, '"c" is not a cursor that this server has returned', 'c'],
  [
    '/find?v=ten',
    undefined,
    '"v", the value at column 9 of the predicate: expected a number for "seats" (Int)',
    'v',
  ],
  [
    '/find?w=title+%3D+?+and+seats+%3D+?&vs[]=a&vs[]=ten',
    undefined,
    '"vs[1]", the value at column 23 of the predicate: expected a number for "seats" (Int)',
    'vs[1]',
  ],
  ['/find?w=title+%3D+?', undefined, 'The predicate has 1 placeholder, but the request has 0 values', 'vs'],
  [
    '/find?w=title+like+a',
    undefined,
    'Column 7: expected "contains" or "startsWith", which take no wildcards, found "like"',
    'w',
  ],
  [
    '/find?s=titel',
    undefined,
    '"s" cannot be by "titel": msg.Event has no field "titel". Did you mean "title"?',
    's',
  ],
  [
    '/find?sorts[0]/field=titel',
    undefined,
    '"sorts" cannot be by "titel": msg.Event has no field "titel". Did you mean "title"?',
    'sorts',
  ],
  [
    '/facet?f=titel',
    undefined,
    '"f" cannot count the values of "titel": msg.Event has no field "titel". Did you mean "title"?',
    'f',
  ],
];

describeOnSqlite('the message of a refused request', (locations) => {
  const types = makeTypesFolder(sdl);
  let instance: TestInstance;

  beforeAll(async () => {
    instance = await startInstance(locations(), { typesDir: types });
    const { graphqlEndpoints, restEndpoints } = instance.services;
    await graphqlEndpoints.create(open);
    await graphqlEndpoints.create({ ...open, name: 'Closed', introspection: false });
    const mappings = [
      { name: 'Find', query: find, methods: ['GET', 'POST'] },
      { name: 'Facet', query: facet },
      { name: 'Create', query: create, methods: ['GET', 'POST'] },
    ];
    for (const source of ['Open', 'Closed']) {
      const { id } = await restEndpoints.create({ body: { name: source, source, mappings }, by });
      await restEndpoints.publish({ id, by });
    }
    await instance.refresh();
  });

  const cma = (method: string, path: string, json?: unknown) =>
    send(instance.url, method, `/api/rest/cma/contents${path}`, {
      headers: instance.headers,
      ...(json === undefined ? {} : { json }),
    });

  it.each(predicates)('about a predicate: %s', async (where, message) => {
    const { status, body } = await cma('GET', `?from=msg.Event&where=${encodeURIComponent(where)}`);
    expect([status, body.error?.message]).toEqual([400, message]);
    const { body: data } = await send(instance.url, 'POST', '/graphql/open', {
      json: { query: 'query ($w: String) { eventList(where: $w) { count } }', variables: { w: where } },
    });
    expect(data.errors[0]).toMatchObject({ message, extensions: { column: body.error.column } });
  });

  it.each(bodies)('about a body: %j', async (asset, message) => {
    const { status, body } = await cma('POST', '', { _type: 'msg.Event', ...asset });
    expect([status, body.error?.message]).toEqual([400, message]);
  });

  it('about a class name', async () => {
    const { status, body } = await cma('POST', '', { _type: 'Event', title: 'x' });
    expect([status, body.error?.message]).toEqual([
      400,
      'There is no content type "Event". Did you mean "msg.Event"?',
    ]);
  });

  it('about too deep a body', async () => {
    const raw = `{"_type":"msg.Event","title":${'['.repeat(70)}${']'.repeat(70)}}`;
    const headers = { ...instance.headers, 'Content-Type': 'application/json' };
    const { status, body } = await send(instance.url, 'POST', '/api/rest/cma/contents', { headers, raw });
    expect([status, body.error]).toEqual([
      400,
      {
        code: 'invalid_body',
        message: 'The body is nested deeper than 64 levels',
        path: '',
        problems: [{ path: '', message: 'The body is nested deeper than 64 levels' }],
      },
    ]);
    const variables = encodeURIComponent(`{"a":${'['.repeat(70)}${']'.repeat(70)}}`);
    const byGet = await send(instance.url, 'GET', `/graphql/open?query={__typename}&variables=${variables}`);
    expect(byGet.body.errors[0].message).toBe('"variables" is nested deeper than 64 levels');
  });

  it.each(parameters)('about a parameter: %s', async (query, message) => {
    const { status, body } = await cma('GET', `?${query}`);
    expect([status, body.error?.message]).toEqual([400, message]);
  });

  it.each(routes)('of a route: %s %j', async (request, json, message, path) => {
    const sent = json ? { json } : {};
    const { status, body } = await send(instance.url, json ? 'POST' : 'GET', `/open${request}`, sent);
    expect([status, body.errors[0].message, body.errors[0].extensions.path]).toEqual([400, message, path]);
  });

  it('suggests nothing of the schema on an endpoint that does not show it', async () => {
    for (const request of ['/find?s=titel', '/find?w=titel+%3D+a', '/facet?f=titel']) {
      const { status, body } = await send(instance.url, 'GET', `/closed${request}`);
      expect([status, body.errors[0].message]).toEqual([
        400,
        expect.stringContaining('has no field "titel"'),
      ]);
      expect(JSON.stringify(body)).not.toContain('Did you mean');
    }
  });

  it('suggests nothing in place of a long text', async () => {
    const long = 'titl'.repeat(50);
    const { body } = await cma('POST', '', { _type: 'msg.Event', title: 'y', [long]: 1, state: long });
    expect(body.error.message).not.toContain('Did you mean');
  });

  it('suggests something for the first problems only', async () => {
    const wrong = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`title${n}`, 1]));
    const { body } = await cma('POST', '', { _type: 'msg.Event', title: 'y', ...wrong });
    const suggesting = body.error.problems.filter(({ message }: { message: string }) =>
      message.includes('Did you'),
    );
    expect([body.error.problems.length, suggesting.length]).toEqual([50, 3]);
  });
});
