/**
 * The navigation: the pages that one uses most, which stay in view, and below them the content types and the pages under heads, which
 * can be folded. Types are sorted into the groups that they name; where there are many, a box finds one, and the browser keeps which
 * are pinned above the others.
 */
import { ActionIcon, NavLink, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, use, useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { TypeList, TypeSummary } from './api.ts';
import { toHref } from './base-path.ts';
import { browserValues, tabValues } from './kept-values.ts';
import classes from './navigation.module.css';
import { nameOfType } from './parts/data/field-label.ts';
import { typeNames } from './parts/data/lists.ts';
import { pathOfType } from './parts/data/load-titles.ts';
import {
  AccountIcon,
  AuditIcon,
  ClosedIcon,
  ContentIcon,
  DeletedIcon,
  EndpointsIcon,
  FilesIcon,
  GraphqlIcon,
  GuideIcon,
  HomeIcon,
  OpenIcon,
  PinIcon,
  PredicatesIcon,
  ReferenceIcon,
  ReleasesIcon,
  RunsIcon,
  TypesIcon,
  UnpinIcon,
  UsersIcon,
  WebhooksIcon,
} from './parts/layout/icons.ts';
import { includesRole, PageRoles } from './roles.ts';
import { useSession } from './session.ts';

/** A page of the navigation. */
export interface Place {
  readonly to: string;
  readonly label: string;
  readonly icon?: ComponentType<{ readonly size?: number }>;
  /** The beginnings of the addresses of pages that it leads to, where they are not below its own. */
  readonly parts?: readonly string[];
}

/** The pages of single endpoints and API clients. */
const endpointParts = ['/admin/rest-endpoints', '/admin/graphql-endpoints', '/admin/api-clients'];

/** The pages under their heads; those without a head stay in view. */
export const places: readonly { readonly head?: string; readonly places: readonly Place[] }[] = [
  {
    places: [
      { to: '/admin', label: 'Home', icon: HomeIcon },
      { to: '/admin/content', label: 'All content', icon: ContentIcon },
      { to: '/admin/releases', label: 'Releases', icon: ReleasesIcon },
      { to: '/admin/files', label: 'Files', icon: FilesIcon },
    ],
  },
  {
    head: 'Delivery',
    places: [
      { to: '/admin/endpoints', label: 'Endpoints', icon: EndpointsIcon, parts: endpointParts },
      { to: '/admin/explorer', label: 'GraphQL', icon: GraphqlIcon },
      { to: '/admin/predicates', label: 'Predicates', icon: PredicatesIcon },
      { to: '/admin/webhooks', label: 'Webhooks', icon: WebhooksIcon },
      { to: '/docs', label: 'Reference', icon: ReferenceIcon },
    ],
  },
  {
    head: 'Administration',
    places: [
      { to: '/admin/types', label: 'Content types', icon: TypesIcon },
      { to: '/admin/runs', label: 'Runs', icon: RunsIcon },
      { to: '/admin/users', label: 'Users', icon: UsersIcon },
      { to: '/admin/audit', label: 'Audit log', icon: AuditIcon },
      { to: '/admin/deleted', label: 'Deleted assets', icon: DeletedIcon },
      { to: '/admin/account', label: 'My account', icon: AccountIcon },
    ],
  },
];

/** The heads with the pages that the signed-in user may open. */
export function usePlaces(): typeof places {
  const roleOf = use(PageRoles);
  const role = useSession()?.user.role ?? 'author';
  return places
    .map(({ places: all, ...rest }) => ({
      ...rest,
      places: all.filter(({ to }) => includesRole(role, roleOf(to))),
    }))
    .filter(({ places: allowed }) => allowed.length > 0);
}

/** The links; `onNavigate` is called when one is followed. `isOpen` says whether a small screen shows them. */
export function Navigation({ isOpen, onNavigate }: { isOpen: boolean; onNavigate: () => void }) {
  const { pathname } = useLocation();
  const heads = usePlaces();
  const types = useTypes();
  const all = [
    ...heads.flatMap(({ places: pages }) => pages),
    ...types.map((type): Pick<Place, 'to' | 'parts'> => ({ to: pathOfType(type.class) })),
  ].flatMap(({ to, parts = [] }) => [to, ...parts].map((path) => ({ to, path })));
  const below = all.filter(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
  // The longest path that the address begins with, since '/admin' is the beginning of most others.
  const current = below.toSorted((one, other) => other.path.length - one.path.length)[0]?.to;
  const linkTo = (place: Place) => (
    <PlaceLink key={place.to} {...place} isCurrent={place.to === current} onNavigate={onNavigate} />
  );
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (current) list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current, types.length, isOpen]);
  return (
    <>
      {heads.map(({ head, places: pages }) => head === undefined && pages.map(linkTo))}
      <div ref={list} className={classes.rest}>
        {types.length > 0 && <Types types={types} linkTo={linkTo} />}
        {heads.map(
          ({ head, places: pages }) =>
            head !== undefined && (
              <Head key={head} name={head}>
                {pages.map(linkTo)}
              </Head>
            ),
        )}
        {/* The guide is not part of this application, so the browser loads it. */}
        <NavLink
          component="a"
          href={toHref('/docs/guide')}
          label="Guide"
          leftSection={<GuideIcon size={15} />}
          className={classes.link}
        />
      </div>
    </>
  );
}

const typesKey = 'colophon.types';

/** The content types; those of the last time until they are read, so that nothing below them moves. */
function useTypes(): readonly TypeSummary[] {
  const { data, isPlaceholderData } = useQuery({
    ...typeNames,
    // Only this function keeps it, in this tab.
    placeholderData: () => tabValues.getJson(typesKey) as TypeList | undefined,
  });
  useEffect(() => {
    if (data && !isPlaceholderData) tabValues.set(typesKey, JSON.stringify(data));
  }, [data, isPlaceholderData]);
  return (data?.items ?? []).filter(({ kind }) => kind === 'object');
}

/** From how many types on there is a box that finds one. */
const manyTypes = 12;

const pinsKey = 'colophon.pinned';

/** The content types: the pinned ones first, then the others by group; or those whose names have the words of the box. */
function Types({ types, linkTo }: { types: readonly TypeSummary[]; linkTo: (place: Place) => ReactNode }) {
  const [sought, setSought] = useState('');
  const [pins, setPins] = useState(readPins);
  const pin = (name: string) => {
    const changed = pins.includes(name) ? pins.filter((each) => each !== name) : [...pins, name];
    setPins(changed);
    browserValues.set(pinsKey, JSON.stringify(changed));
  };
  const row = (type: TypeSummary) => {
    const name = nameOfType(type);
    const isPinned = pins.includes(type.class);
    const words = `${isPinned ? 'Unpin' : 'Pin'} ${name}`;
    return (
      <div key={type.class} className={classes.type}>
        {linkTo({ to: pathOfType(type.class), label: name })}
        {types.length >= manyTypes && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={words}
            title={words}
            className={classes.pin}
            onClick={() => pin(type.class)}
          >
            {isPinned ? <UnpinIcon size={13} /> : <PinIcon size={13} />}
          </ActionIcon>
        )}
      </div>
    );
  };
  const byName = types.toSorted((one, other) => nameOfType(one).localeCompare(nameOfType(other)));
  const found = byName.filter((type) => nameOfType(type).toLowerCase().includes(sought.trim().toLowerCase()));
  return (
    <Head name="Content">
      {types.length >= manyTypes && (
        <TextInput
          size="xs"
          mx={8}
          mb={4}
          placeholder="Find a type"
          aria-label="Find a type"
          value={sought}
          onChange={({ currentTarget: { value } }) => setSought(value)}
        />
      )}
      {sought.trim() !== '' ? (
        found.map(row)
      ) : (
        <>
          {byName.filter((type) => pins.includes(type.class)).map(row)}
          {groupTypes(byName.filter((type) => !pins.includes(type.class))).map(({ group, members }) =>
            group === '' ? (
              members.map(row)
            ) : (
              <Head key={group} name={group} isGroup>
                {members.map(row)}
              </Head>
            ),
          )}
        </>
      )}
    </Head>
  );
}

/** The names of the classes of pinned types. */
function readPins(): readonly string[] {
  const kept = browserValues.getJson(pinsKey);
  return Array.isArray(kept) ? kept.map(String) : [];
}

/** Sorts types into groups, those without a group first. */
function groupTypes(types: readonly TypeSummary[]): { group: string; members: readonly TypeSummary[] }[] {
  return Object.entries(Object.groupBy(types, ({ group = '' }) => group))
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([group, members = []]) => ({ group, members }));
}

function PlaceLink({
  to,
  label,
  icon: Icon,
  isCurrent,
  onNavigate,
}: Place & { isCurrent: boolean; onNavigate: () => void }) {
  return (
    <NavLink
      component={Link}
      to={to}
      label={label}
      leftSection={Icon ? <Icon size={15} /> : <span className={classes.dot} />}
      active={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onNavigate}
      variant="light"
      className={classes.link}
    />
  );
}

/** A head, or that of a group of types, that shows and hides its pages. The browser keeps which are hidden. */
function Head({ name, isGroup = false, children }: { name: string; isGroup?: boolean; children: ReactNode }) {
  const key = `colophon.folded.${name}`;
  const [isFolded, setIsFolded] = useState(() => browserValues.get(key) !== undefined);
  const id = useId();
  const Chevron = isFolded ? ClosedIcon : OpenIcon;
  const turn = () => {
    setIsFolded(!isFolded);
    if (isFolded) browserValues.remove(key);
    else browserValues.set(key, 'yes');
  };
  return (
    <div className={isGroup ? undefined : classes.section}>
      <button
        type="button"
        className={isGroup ? classes.group : classes.head}
        aria-expanded={!isFolded}
        aria-controls={id}
        onClick={turn}
      >
        {name}
        <Chevron size={14} aria-hidden />
      </button>
      <div id={id} hidden={isFolded}>
        {children}
      </div>
    </div>
  );
}
