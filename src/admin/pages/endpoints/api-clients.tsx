/**
 * The API clients. Those that were revoked are folded away.
 */
import { Button, Collapse, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { countOf } from '../../parts/data/number-words.ts';
import { Paging } from '../../parts/layout/paging.tsx';
import { Loaded } from '../../parts/loading/loaded.tsx';
import { ClientList } from './client-list.tsx';
import { apiClientPage, pageSize } from './endpoint-lists.ts';
import { ListSection } from './list-section.tsx';
import { useListState } from './use-list-state.ts';

/** Their list. */
export function ApiClients() {
  const list = useListState('clients');
  const { search, offset } = list;
  return (
    <ListSection
      title="API clients"
      query={useQuery(apiClientPage({ search, offset }, false))}
      list={list}
      create={{ to: '/admin/api-clients/new', label: 'New API client' }}
      empty={{
        title: 'No API clients yet',
        advice:
          'A program needs an API client to access Colophon. Create one, then give the program its ID and secret, or a key.',
      }}
      search="Name or client ID"
      after={({ revoked }) => revoked > 0 && <RevokedClients count={revoked} search={search} />}
    >
      {(items) => <ClientList label="API clients" clients={items} />}
    </ListSection>
  );
}

/** The button that shows the revoked clients. They are read when it is first used. */
function RevokedClients({ count, search }: { count: number; search: string }) {
  const [isOpen, { toggle }] = useDisclosure();
  const id = useId();
  return (
    <div>
      <Group>
        <Button variant="default" size="xs" aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
          {isOpen ? 'Hide' : 'Show'} {countOf(count, 'revoked API client')}
        </Button>
      </Group>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && <RevokedList search={search} />}
      </Collapse>
    </div>
  );
}

function RevokedList({ search }: { search: string }) {
  const list = useListState('revoked');
  const query = useQuery(apiClientPage({ search, offset: list.offset }, true));
  return (
    <Loaded query={query} what="Revoked API clients">
      {({ count, items }) => (
        <>
          <ClientList label="Revoked API clients" clients={items} />
          {count > pageSize && (
            <Paging
              label="Pages of revoked API clients"
              offset={list.offset}
              limit={pageSize}
              count={count}
              onMove={list.move}
            />
          )}
        </>
      )}
    </Loaded>
  );
}
