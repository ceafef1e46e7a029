/**
 * Compares two sets of content types and describes the differences in short lines.
 *
 * Only what matters to stored content counts: descriptions and the division into files do not.
 */
import type { Catalog, ContentType, EmbeddedType, Field, ValueType } from '../model/content-type.ts';

type Fields = ReadonlyMap<string, Field>;

/** Lists the differences; empty when both mean the same; `+` is only in `after`, `-` only in `before`, `~` changed. */
export function compareCatalogs(before: Catalog, after: Catalog): string[] {
  const [old, now] = [allTypes(before), allTypes(after)];
  const classes = [...new Set([...old.keys(), ...now.keys()])].sort();
  return classes.flatMap((name) => compareTypes(name, old.get(name), now.get(name)));
}

/** Returns the first lines, and how many more there are. */
export function boundLines(lines: readonly string[], most = 20): string[] {
  const rest = lines.length - most;
  return rest > 0 ? [...lines.slice(0, most), `and ${rest} more`] : [...lines];
}

const allTypes = ({ types, interfaces }: Catalog) => new Map([...types, ...interfaces]);

function compareTypes(name: string, old: ContentType | undefined, now: ContentType | undefined): string[] {
  if (!old) return [`+ ${name}`];
  if (!now) return [`- ${name}`];
  const about = (['kind', 'id', 'name'] as const)
    .filter((member) => old[member] !== now[member])
    .map((member) => `~ ${name} (${memberNames[member]}): ${old[member]} -> ${now[member]}`);
  const lists = (['interfaces', 'formerClasses', 'dropped'] as const).flatMap((member) => {
    const [oldOnes, newOnes] = [old, now].map((type) => type[member].toSorted().join(', ') || 'none');
    return oldOnes === newOnes ? [] : [`~ ${name} (${listNames[member]}): ${oldOnes} -> ${newOnes}`];
  });
  const keys = compareKeys(name, old, now);
  return [
    ...about,
    ...lists,
    ...keys,
    ...compareFields(name, { old: old.fields, now: now.fields, seen: [] }),
  ];
}

/** Compares the keys of several fields and the conditional ones, the rules, and the inverse fields. */
function compareKeys(name: string, old: ContentType, now: ContentType): string[] {
  const [before = [], after = []] = [old, now].map(({ keys, conditionalKeys, checks, inverses }) => [
    ...keys.map((names) => `(unique): ${names.join(', ')}`),
    ...conditionalKeys.map(({ fields, where }) => `(unique): ${fields.join(', ')} where ${where}`),
    ...checks.map(({ where, path, message }) => `(check): ${where} -> ${path}: ${message}`),
    ...inverses.map(({ graphqlName, target, field }) => `(inverse): ${graphqlName} of ${target} ${field}`),
  ]);
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${name} ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${name} ${line}`),
  ];
}

const memberNames = { kind: 'kind', id: 'type ID', name: 'GraphQL name' };
const listNames = { interfaces: 'interfaces', formerClasses: 'former classes', dropped: 'dropped fields' };

/** Embedded types are compared where they are used; `seen` are those around, since one may contain itself. */
function compareFields(
  place: string,
  { old, now, seen }: { old: Fields; now: Fields; seen: readonly EmbeddedType[] },
): string[] {
  const names = [...new Set([...old.keys(), ...now.keys()])].sort();
  return names.flatMap((name) => {
    const [before, after] = [old.get(name), now.get(name)];
    if (!before) return [`+ ${place} ${name}`];
    if (!after) return [`- ${place} ${name}`];
    const [was, is] = [describeField(before), describeField(after)];
    const here = was === is ? [] : [`~ ${place} ${name}: ${was} -> ${is}`];
    const [a, b] = [before.type, after.type];
    if (a.kind !== 'embedded' || b.kind !== 'embedded' || seen.includes(a.type)) return here;
    const around = [...seen, a.type];
    const kinds = [...(a.type.kinds ?? [])].flatMap(([kind, type]) => {
      const same = b.type.kinds?.get(kind);
      return same ? [{ text: `${name}[${kind}]`, type, same }] : [];
    });
    return [
      ...here,
      ...[{ text: name, type: a.type, same: b.type }, ...kinds].flatMap(({ text, type, same }) => {
        const inner = { old: type.fields, now: same.fields, seen: around };
        return compareFields(`${place} ${text}.`, inner).map((line) => line.replace(`${text}. `, `${text}.`));
      }),
    ];
  });
}

function describeField({
  type,
  list,
  required,
  indexed,
  onDelete,
  searchable,
  constraint,
  graphqlName,
  name,
  formerNames,
  default: value,
  defaultVariable: variable,
}: Field): string {
  const kind = list ? `[${describeValue(type)}]` : describeValue(type);
  const limits = Object.entries(constraint).map(([limit, most]) => `${limit} ${most}`);
  return [
    `${kind}${required ? '!' : ''}`,
    ...(graphqlName === name.replaceAll('.', '_') ? [] : [`named ${graphqlName}`]),
    ...(indexed ? [indexed.unique ? 'unique' : 'indexed'] : []),
    ...(onDelete ? [`onDelete ${onDelete}`] : []),
    ...(searchable ? ['searchable'] : []),
    ...limits.sort(),
    ...formerNames.map((former) => `was ${former}`),
    ...(value === undefined ? [] : [`default ${JSON.stringify(value)}`]),
    ...(variable === undefined ? [] : [`default ${variable}`]),
  ].join(' ');
}

function describeValue(type: ValueType): string {
  switch (type.kind) {
    case 'scalar':
      return type.scalar;
    case 'enum':
      return `${type.name}(${type.values.join(' ')})`;
    case 'reference':
      return `${type.name}(${type.targets.join(' ')})`;
    case 'embedded':
      return type.type.name;
  }
}
