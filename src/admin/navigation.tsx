/**
 * The navigation: the pages under three heads, which can be folded, and the content types under the first one.
 */
import { NavLink, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, use, useId, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { TypeSummary } from './api.ts';
import { toHref } from './base-path.ts';
import { browserValues } from './kept-values.ts';
import classes from './navigation.module.css';
import { pathOfType } from './parts/data/asset-titles.ts';
import { nameOfType } from './parts/data/field-label.ts';
import { typeNames } from './parts/data/lists.ts';
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
  PredicatesIcon,
  ReferenceIcon,
  ReleasesIcon,
  RunsIcon,
  TypesIcon,
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

/** The pages under their heads. */
export const places: readonly { readonly head: string; readonly places: readonly Place[] }[] = [
  {
    head: 'Content',
    places: [
      { to: '/admin', label: 'Home', icon: HomeIcon },
      { to: '/admin/content', label: 'All content', icon: ContentIcon },
      { to: '/admin/releases', label: 'Releases', icon: ReleasesIcon },
      { to: '/admin/files', label: 'Files', icon: FilesIcon },
      { to: '/admin/deleted', label: 'Deleted assets', icon: DeletedIcon },
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
      { to: '/admin/account', label: 'My account', icon: AccountIcon },
    ],
  },
];

/** The heads with the pages that the signed-in user may open. */
export function usePlaces(): typeof places {
  const roleOf = use(PageRoles);
  const role = useSession()?.user.role ?? 'author';
  return places
    .map(({ head, places: all }) => ({
      head,
      places: all.filter(({ to }) => includesRole(role, roleOf(to))),
    }))
    .filter(({ places: allowed }) => allowed.length > 0);
}

/** The links; `onNavigate` is called when one is followed. */
export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { pathname } = useLocation();
  const heads = usePlaces();
  const types = (useQuery(typeNames).data?.items ?? []).filter(({ kind }) => kind === 'object');
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
  return (
    <>
      {heads.map(({ head, places: pages }) => (
        <Head key={head} name={head}>
          {head === 'Content' && types.length > 0 ? (
            <>
              {pages.slice(0, 2).map(linkTo)}
              {groupTypes(types).map(({ group, members }) => (
                <Stack key={group} gap={0} role="group" aria-label={group || 'Content types'}>
                  {group !== '' && (
                    <Text size="xs" className={classes.group}>
                      {group}
                    </Text>
                  )}
                  {members.map(linkTo)}
                </Stack>
              ))}
              {pages.slice(2).map(linkTo)}
            </>
          ) : (
            pages.map(linkTo)
          )}
        </Head>
      ))}
      {/* The guide is not part of this application, so the browser loads it. */}
      <NavLink
        component="a"
        href={toHref('/docs/guide')}
        label="Guide"
        leftSection={<GuideIcon size={16} />}
        className={classes.link}
      />
    </>
  );
}

/** Sorts types by their names into groups, those without a group first. */
function groupTypes(types: readonly TypeSummary[]): { group: string; members: Place[] }[] {
  const groups = Object.groupBy(types, ({ group = '' }) => group);
  return Object.entries(groups)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([group, members = []]) => ({
      group,
      members: members
        .map((type) => ({ to: pathOfType(type.class), label: nameOfType(type) }))
        .toSorted((one, other) => one.label.localeCompare(other.label)),
    }));
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
      leftSection={Icon ? <Icon size={16} /> : <span style={{ width: 16 }} />}
      active={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onNavigate}
      variant="light"
      className={classes.link}
    />
  );
}

/** A head that shows and hides its pages. The browser keeps which are hidden. */
function Head({ name, children }: { name: string; children: ReactNode }) {
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
    <div className={classes.section}>
      <button
        type="button"
        className={classes.head}
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
