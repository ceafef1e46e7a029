/**
 * What the search finds besides assets and content types: the pages that were open last, commands, endpoints and their routes, webhooks,
 * releases, runs, users and the pages of the guide. Lists are read once something is typed, and kept for a minute.
 */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { runList } from '../pages/runs/run-data.ts';
import { userList } from '../pages/users/user-data.ts';
import { webhookList } from '../pages/webhooks/webhook-data.ts';
import { pathOfRun } from '../parts/changes/actor-name.tsx';
import { nameOfType } from '../parts/data/field-label.ts';
import { graphqlEndpointList, restEndpointList, typeNames } from '../parts/data/lists.ts';
import { pathOfAsset } from '../parts/data/load-titles.ts';
import { readRecentPages } from '../parts/data/recent-pages.ts';
import { nameOfRelease, pathOfRelease, releaseList } from '../parts/releases/release-data.ts';
import { useMay } from '../roles.ts';
import { guidePages } from './guide-pages.ts';

/** Something that is found; `path` is the page that it leads to, below the base path. */
export interface Found {
  readonly label: string;
  readonly note?: string;
  readonly path: string;
}

/** What is found of one kind. */
export interface FoundGroup {
  readonly name: string;
  readonly items: readonly Found[];
}

/** How the paths of the guide begin, which is no part of this application: the browser loads it. */
export const guidePath = '/docs/guide';

/** What `path` is of the command that signs out, which asks first. */
export const signOutPath = 'sign-out';

/** How many of one kind are shown. */
const maxShown = 6;

const keepMs = 60_000;

/** Returns what fits the text, the recent pages first: those alone while it is empty. */
export function useFoundResources(text: string): readonly FoundGroup[] {
  const { pathname } = useLocation();
  const enabled = text.trim() !== '';
  const [mayEdit, mayDevelop, mayAdminister] = [useMay('editor'), useMay('developer'), useMay('admin')];
  const read = { enabled, staleTime: keepMs };
  const readEndpoints = { ...read, enabled: enabled && mayDevelop };
  const types = useQuery(typeNames).data?.items ?? [];
  const rest = useQuery({ ...restEndpointList, ...readEndpoints }).data?.items ?? [];
  const graphql = useQuery({ ...graphqlEndpointList, ...readEndpoints }).data?.items ?? [];
  const webhooks = useQuery({ ...webhookList, ...readEndpoints, refetchInterval: false }).data?.items ?? [];
  const users = useQuery({ ...userList, ...read, enabled: enabled && mayAdminister }).data?.items ?? [];
  const releases = useQuery({ ...releaseList, ...read }).data?.items ?? [];
  const runs = useInfiniteQuery({ ...runList, ...read }).data?.pages.flatMap(({ items }) => items) ?? [];
  const isMatch = matcherOf(text);
  const recent = {
    name: 'Recent',
    items: readRecentPages()
      .filter(({ path }) => path !== pathname)
      .map(({ path, title }) => ({ label: title, path })),
  };
  if (!enabled) return [recent];
  const groups: readonly FoundGroup[] = [
    recent,
    {
      name: 'Commands',
      items: [
        ...types
          .filter(({ kind }) => kind === 'object')
          .map((type) => ({
            label: `New ${nameOfType(type)}`,
            path: pathOfAsset({ _id: 'new', _type: type.class }),
          })),
        ...(mayEdit
          ? releases
              .filter(({ drafts }) => drafts > 0)
              .map((each) => ({
                label: `Publish ${nameOfRelease(each)}…`,
                path: pathOfRelease(each.name),
              }))
          : []),
        ...(mayDevelop
          ? [
              { label: 'New REST endpoint', path: '/admin/rest-endpoints/new' },
              { label: 'New GraphQL endpoint', path: '/admin/graphql-endpoints/new' },
              { label: 'New API client', path: '/admin/api-clients/new' },
              { label: 'New webhook', path: '/admin/webhooks/new' },
            ]
          : []),
        { label: 'Sign out…', path: signOutPath },
      ],
    },
    {
      name: 'Endpoints',
      items: [
        ...rest.flatMap(({ id, draft: { name, pathPrefix, mappings } }) => [
          { label: name, note: pathPrefix, path: `/admin/rest-endpoints/${id}` },
          ...mappings.map((mapping) => ({
            label: mapping.name,
            note: `${pathPrefix}${mapping.path}`,
            path: `/admin/rest-endpoints/${id}?mapping=${encodeURIComponent(mapping.name)}`,
          })),
        ]),
        ...graphql.map(({ id, name, path }) => ({
          label: name,
          note: `/graphql/${path}`,
          path: `/admin/graphql-endpoints/${id}`,
        })),
      ],
    },
    {
      name: 'Webhooks',
      items: webhooks.map(({ id, name, url }) => ({ label: name, note: url, path: `/admin/webhooks/${id}` })),
    },
    {
      name: 'Releases',
      items: releases.map((each) => ({ label: nameOfRelease(each), path: pathOfRelease(each.name) })),
    },
    { name: 'Runs', items: runs.map(({ name }) => ({ label: name, path: pathOfRun(name) })) },
    {
      name: 'Users',
      items: users.map(({ email, name }) => ({ label: email, note: name ?? '', path: '/admin/users' })),
    },
    {
      name: 'Guide',
      items: guidePages.flatMap(({ text: section, items }) =>
        items.map((page) => ({ label: `Guide: ${page.text}`, note: section, path: guidePath + page.link })),
      ),
    },
  ];
  return groups
    .map(({ name, items }) => ({
      name,
      items: items.filter(({ label, note = '' }) => isMatch(`${label} ${note}`)).slice(0, maxShown),
    }))
    .filter(({ items }) => items.length > 0);
}

/** Whether a name has all words of a text, in any letter case. */
export function matcherOf(text: string): (name: string) => boolean {
  const words = text.toLowerCase().split(/\s+/);
  return (name) => words.every((word) => name.toLowerCase().includes(word));
}
