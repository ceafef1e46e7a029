/**
 * The preview links of a release: lists, creates, copies and ends them.
 */
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedPreviewLink, PreviewLink } from '../../api.ts';
import { Confirm } from '../confirm/confirm.tsx';
import { countOf } from '../data/number-words.ts';
import { useAction } from '../forms/busy-button.tsx';
import { CopyField } from '../layout/copy-field.tsx';
import { Section } from '../layout/page.tsx';
import { type ListColumn, ResourceList } from '../list/resource-list.tsx';
import { Loaded } from '../loading/loading.tsx';
import { ProblemAlert } from '../problems/problem-alert.tsx';
import { Ago } from '../time/ago.tsx';
import { describeTime } from '../time/local-time.ts';
import { createLink, durations, endLink, previewLinks, withToken } from './preview-data.ts';

/** The links. A new one is shown as the address of `page`, if there is one. */
export function PreviewLinks({ release, page }: { release: string; page?: string | undefined }) {
  const client = useQueryClient();
  const query = useQuery(previewLinks(release));
  const [days, setDays] = useState<number>(7);
  const [ended, setEnded] = useState<PreviewLink>();
  const create = useAction(() => createLink(client, { release, days, nowMs: Date.now }));
  return (
    <Section title="Preview links">
      <Stack gap="xs">
        <Text size="sm">
          With a link, anyone reads the drafts of this release on your pages, without signing in.
        </Text>
        <Group gap="xs" align="flex-end">
          <NativeSelect
            size="xs"
            label="Lasts"
            value={String(days)}
            data={durations.map((each) => ({ value: String(each), label: countOf(each, 'day') }))}
            onChange={(event) => setDays(Number(event.currentTarget.value))}
          />
          <Button size="xs" variant="default" loading={create.isPending} onClick={() => create.run()}>
            Create a preview link
          </Button>
        </Group>
        <ProblemAlert error={create.error} title="No preview link was created" />
        {create.data && <Created link={create.data} page={page} />}
        <Loaded query={query} what="the preview links">
          {(links) => links.length > 0 && <LinkTable links={links} onEnd={setEnded} />}
        </Loaded>
      </Stack>
      <Confirm
        title="End this preview link?"
        consequence="Pages that were opened with it do not show the drafts any more. Other links stay."
        action="End the link"
        isOpen={ended !== undefined}
        onClose={() => setEnded(undefined)}
        onConfirm={async () => {
          if (ended) await endLink(client, release, ended.id);
          if (ended?.id === create.data?.id) create.reset();
          setEnded(undefined);
          notifications.show({ message: 'Preview link ended' });
        }}
      />
    </Section>
  );
}

/** The link, which is shown only now. */
function Created({ link, page }: { link: CreatedPreviewLink; page: string | undefined }) {
  return (
    <div>
      <CopyField label="New preview link" text={withToken(page, link.token)} />
      <Text size="sm">
        {page === undefined && 'Add it to the address of a page. '}Copy it now: it is not shown again.
      </Text>
    </div>
  );
}

function LinkTable({ links, onEnd }: { links: readonly PreviewLink[]; onEnd: (link: PreviewLink) => void }) {
  return (
    <ResourceList
      label="Working links"
      columns={columns}
      rows={links}
      isWhole={false}
      idOf={({ id }) => id}
      nameOf={({ expiresAt }) => `the link that expires on ${describeTime(expiresAt)}`}
      menuOf={(link) => [{ label: 'End…', isDanger: true, run: () => onEnd(link) }]}
    />
  );
}

const columns: readonly ListColumn<PreviewLink>[] = [
  { id: 'by', head: 'Created by', cell: ({ createdBy }) => createdBy },
  { id: 'created', head: 'Created', cell: ({ createdAt }) => <Ago ms={createdAt} /> },
  { id: 'expires', head: 'Expires', cell: ({ expiresAt }) => <Ago ms={expiresAt} /> },
];
