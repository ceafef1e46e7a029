/**
 * The tabs of a page. The open one stands in the address, as in `?tab=replay`; a tab may be a page of its own.
 */
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import classes from './page-tabs.module.css';

/** A tab with what it shows, or a link to the page that it is. */
export type PageTab =
  | { readonly id: string; readonly label: string; readonly content: ReactNode }
  | { readonly label: string; readonly to: string };

/** The tabs, the first of which is open without an address. What is hidden stays as it is, with what is typed there. */
export function PageTabs({ label, tabs }: { label: string; tabs: readonly PageTab[] }) {
  const { pathname } = useLocation();
  const [parameters] = useSearchParams();
  const contents = tabs.filter((tab) => 'content' in tab);
  const open = contents.find(({ id }) => id === parameters.get('tab')) ?? contents[0];
  return (
    <>
      <nav aria-label={label} className={classes.tabs}>
        {tabs.map((tab) =>
          'to' in tab ? (
            <Link key={tab.label} to={tab.to} className={classes.tab}>
              {tab.label}
            </Link>
          ) : (
            <Link
              key={tab.label}
              to={tab === contents[0] ? pathname : `${pathname}?tab=${tab.id}`}
              className={classes.tab}
              {...(tab === open && { 'aria-current': 'page' as const })}
            >
              {tab.label}
            </Link>
          ),
        )}
      </nav>
      {contents.map((tab) => (
        <Stack key={tab.id} gap="lg" hidden={tab !== open} {...(tab !== open && { display: 'none' })}>
          {tab.content}
        </Stack>
      ))}
    </>
  );
}
