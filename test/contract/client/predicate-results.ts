/** Predicates over the newspaper and the assets they find: every spelling of every operator, every kind of value and path. */

/** A predicate and the names of the assets it finds, in order of creation. `{name}` in predicate or values stands for an ID. */
export interface PredicateResult {
  readonly where: string;
  readonly values?: readonly string[];
  /** The class to search; Article when absent. */
  readonly from?: string;
  readonly finds: readonly string[];
}

const finds = (where: string, found: string): PredicateResult => ({
  where,
  finds: found.match(/\w+/g) ?? [],
});

const findsFrom = (from: string, where: string, found: string) => ({ ...finds(where, found), from });

const findsWith = (where: string, values: readonly string[], found: string) => ({
  ...finds(where, found),
  values,
});

const all = 'harvest storm vote bare';

/** Predicates in groups, each with what it finds. */
export const predicateResults: Readonly<Record<string, readonly PredicateResult[]>> = {
  equality: [
    finds(`headline = 'Harvest begins'`, 'harvest'),
    finds('headline = begins', 'bare'),
    finds('status = DRAFT', 'storm'),
    finds('readingMinutes = 0', 'vote'),
    finds('status in DRAFT', 'storm'),
    finds('score = 0.5', 'harvest'),
    finds('score = 1.0', 'vote'),
    finds('featured = true', 'harvest'),
    finds('featured = false', 'storm'),
    finds('eventDate = -1', 'storm'),
    finds('headline = harvest', ''),
    finds('headline = missing', ''),
  ],
  inequality: [
    finds('status != DRAFT', 'harvest vote bare'),
    finds('status notIn DRAFT', 'harvest vote bare'),
    finds('readingMinutes != 0', 'harvest storm bare'),
    finds('featured != true', 'storm vote bare'),
  ],
  order: [
    finds('readingMinutes < 3', 'vote'),
    finds('readingMinutes < 5', 'harvest vote'),
    finds('readingMinutes <= 3', 'harvest vote'),
    finds('readingMinutes <= 0', 'vote'),
    finds('readingMinutes > 3', 'storm'),
    finds('readingMinutes > 0', 'harvest storm'),
    finds('readingMinutes >= 5', 'storm'),
    finds('readingMinutes >= 2.5', 'harvest storm'),
    finds('eventDate < 0', 'storm'),
    finds('cms.content.publishDate > 2000', 'vote bare'),
    finds('headline < I', 'harvest'),
    finds('headline >= S', 'storm bare'),
  ],
  'prefixes and substrings': [
    finds('headline startsWith Harvest', 'harvest'),
    finds('headline startsWith STORM', 'storm'),
    finds('headline startsWith harvest', ''),
    finds('headline contains begins', 'harvest bare'),
    finds(`headline contains '"'`, 'vote'),
    finds(`headline contains '%'`, ''),
  ],
  words: [
    finds(`body matches 'rain harvest'`, 'harvest storm'),
    finds('body matches RAIN', 'storm'),
    finds(`body matchesAll 'on HARVEST'`, 'harvest'),
    finds(`body matchesAll 'harvest rain'`, ''),
    finds(`body matches 'b p br amp'`, ''),
    finds('headline matches zürich', 'storm'),
  ],
  'ignoring case': [
    finds(`headline =[c] 'HARVEST BEGINS'`, 'harvest'),
    finds(`headline in[c] [BEGINS, 'storm over zÜRICH']`, 'storm bare'),
    finds('headline !=[c] BEGINS', 'harvest storm vote'),
    finds('tags notIn[c] WEATHER', 'vote bare'),
    finds('headline startsWith[c] storm', 'storm'),
    finds('headline startsWith[c] HARVEST', 'harvest'),
    finds('headline contains[c] ZÜRICH', 'storm'),
    finds('tags =[c] WEATHER', 'harvest storm'),
    finds('headline IN begins Or headline STARTSWITH It', 'vote bare'),
  ],
  lists: [
    finds('status = [PUBLISHED, "ARCHIVED"]', 'harvest bare'),
    finds('status in [DRAFT, REVIEW]', 'storm vote'),
    finds('status notIn [DRAFT, REVIEW]', 'harvest bare'),
    finds('status != [DRAFT, REVIEW]', 'harvest bare'),
    finds('readingMinutes in [0, 3, 4]', 'harvest vote'),
    finds('readingMinutes < [1, 4]', 'harvest vote'),
    finds('headline startsWith [Harv, beg]', 'harvest bare'),
    finds('headline contains [Zürich, close]', 'storm vote'),
    finds('body matches [begun, storm]', 'harvest storm'),
    finds('status in []', ''),
    finds('status notIn []', all),
  ],
  'list fields': [
    finds('tags = weather', 'storm'),
    finds('tags != weather', 'harvest vote bare'),
    finds('tags = farm and tags = Weather', 'harvest'),
    finds('tags in [farm, weather]', 'harvest storm'),
    finds('tags startsWith W', 'harvest'),
    finds('tags contains eather', 'harvest storm'),
    finds('tags matches weather', 'harvest storm'),
  ],
  'missing values': [
    finds('section = missing', 'storm bare'),
    finds('section = null', 'storm bare'),
    finds('section != missing', 'harvest vote'),
    finds('section != NULL', 'harvest vote'),
    finds('featured in [true, missing]', 'harvest vote bare'),
    finds('tags = missing', 'vote bare'),
    finds('place = missing', 'bare'),
    finds('place.latitude = missing', 'storm vote bare'),
    finds('importData != missing', 'vote'),
    finds('section/parent = missing', 'storm vote bare'),
  ],
  placeholders: [
    findsWith('headline = ?', ['begins'], 'bare'),
    findsWith('headline = ?', [`It's "close"`], 'vote'),
    findsWith('score > ? and featured = ?', ['0.3', 'true'], 'harvest'),
    findsWith('readingMinutes in [?, ?]', ['0', '5'], 'storm vote'),
    findsWith('eventDate > ?1 and status = ?0', ['PUBLISHED', '0'], 'harvest'),
    findsWith('headline contains ?0 or summary contains ?0', ['Early'], 'harvest'),
    findsWith('author = ?', ['{ben}'], 'storm'),
    findsWith('headline = ?', ['missing'], ''),
    findsWith('headline contains[c] ?', ['ZÜRICH'], 'storm'),
  ],
  references: [
    finds('author = {ada}', 'harvest vote'),
    finds('author != {ada}', 'storm bare'),
    finds('author in [{ada}, {ben}]', 'harvest storm vote'),
    finds('author notIn [{ada}, {ben}]', 'bare'),
    finds('related = {harvest}', 'storm vote'),
    finds('related != {ada}', 'harvest storm bare'),
    finds('cms.site.owner = {herald}', 'vote'),
    finds('cms.site.owner = missing', 'harvest storm bare'),
    finds('author/name startsWith Ada', 'harvest vote'),
    finds(`author/name != 'Ada Byron'`, 'storm bare'),
    finds('section/parent/name = World', 'harvest'),
    finds('author/portrait/width >= 640', 'storm'),
    finds('related/slug = ada', 'vote'),
    finds('cms.site.owner/name =[c] HERALD', 'vote'),
  ],
  'embedded values': [
    finds('place.country = CH', 'harvest storm'),
    finds('place.name startsWith[c] z', 'storm'),
    finds('place.latitude > 46', 'harvest'),
    finds('sources.title = Almanac', 'harvest'),
    finds('sources.url contains met', 'harvest'),
    finds('sources.accessed < 2000', 'harvest'),
  ],
  logic: [
    finds('true', all),
    finds('false', ''),
    finds('status = DRAFT or status = REVIEW and featured = true', 'storm'),
    finds('(status = DRAFT or status = REVIEW) and featured = false', 'storm'),
    finds('status = DRAFT || status = REVIEW', 'storm vote'),
    finds('readingMinutes>=3&&score<1', 'harvest storm'),
    finds('not status = DRAFT', 'harvest vote bare'),
    finds('!(status = DRAFT OR status = REVIEW)', 'harvest bare'),
    finds('NOT ! not false', all),
    finds('score > 0.3 AND NOT featured = true', 'vote'),
  ],
  'quotes and escapes': [
    finds(`headline = 'It\\'s "close"'`, 'vote'),
    finds(`headline = "It's \\"close\\""`, 'vote'),
    finds(`headline contains 'Z\\u00fcrich'`, 'storm'),
    finds(`"headline" = begins`, 'bare'),
  ],
  'identity and type': [
    finds('_id = {vote}', 'vote'),
    finds('_id in [{bare}, {storm}, {ada}]', 'storm bare'),
    finds('_type = com.example.news.Article', all),
    findsFrom('b656ca6f-4fd1-5a87-b426-b502be8c376e', 'status = DRAFT', 'storm'),
    findsFrom('com.example.news.Page', 'slug in [ada, world, vote]', 'ada world vote'),
    findsFrom('com.example.news.Page', '_type != com.example.news.Article', 'ada ben world europe'),
    findsFrom('com.colophon.cms.db.Site', 'urls contains herald', 'herald'),
  ],
};
