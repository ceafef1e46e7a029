/**
 * The page of the content types: their SDL as the server was started with it, and the check of a change before it is
 * deployed.
 */
import { Accordion, Anchor, Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { TypeSource, TypeSummary, UnfitReport } from '../../api.ts';
import { toHref } from '../../base-path.ts';
import { nameOfType } from '../../parts/data/field-label.ts';
import { typeNames, typeSources } from '../../parts/data/lists.ts';
import { pathOfTypePage } from '../../parts/data/load-titles.ts';
import { countOf } from '../../parts/data/number-words.ts';
import { unfitPath, unfitReport } from '../../parts/data/unfit.ts';
import { CopyField } from '../../parts/layout/copy-field.tsx';
import { EmptyState, Page, Section } from '../../parts/layout/page.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { Loaded } from '../../parts/loading/loading.tsx';
import { CheckForm } from './check/check-form.tsx';

/** @public Data that is read ahead, while the mouse rests on a link to the page. */
export const readAhead = () => [typeSources];

export default function ContentTypesPage() {
  const query = useQuery(typeSources);
  const types = useQuery(typeNames);
  return (
    <Page
      title="Content types"
      info={
        <Text size="sm">
          The content types of this installation are SDL files that the server reads when it starts. The guide
          explains <GuideLink page="changing-types">changing types</GuideLink> and{' '}
          <GuideLink page="checking-types">checking types</GuideLink>.
        </Text>
      }
    >
      <Section title="Types">
        <Loaded query={types} what="content types">
          {({ items }) => (
            <ResourceList
              label="Types"
              finds="in bar"
              columns={columns}
              rows={items.toSorted(byName)}
              idOf={(type) => type.class}
              nameOf={nameOfType}
              hrefOf={(type) => pathOfTypePage(type.class)}
            />
          )}
        </Loaded>
      </Section>
      <Section title="SDL files">
        <Loaded query={query} what="SDL files">
          {({ sources }) => <TypeFiles sources={sources} />}
        </Loaded>
      </Section>
      <UnfitSummary />
      <CheckForm present={query.data?.sources ?? []} />
    </Page>
  );
}

const columns: readonly ListColumn<TypeSummary>[] = [
  { id: 'type', head: 'Type', value: nameOfType },
  {
    id: 'class',
    head: 'Class name',
    value: (type) => type.class,
    cell: (type) => <Code>{type.class}</Code>,
  },
  {
    id: 'description',
    head: 'Description',
    value: ({ description }) => description,
  },
];

const byName = (one: TypeSummary, other: TypeSummary) => nameOfType(one).localeCompare(nameOfType(other));

/** A link to a page of the guide. The guide is not part of this application, so the browser loads it. */
function GuideLink({ page, children }: { page: string; children: string }) {
  return (
    <Anchor href={toHref(`/docs/guide/${page}`)} inherit underline="always">
      {children}
    </Anchor>
  );
}

/** The files as a list of panels; the only one of them is open. */
function TypeFiles({ sources }: { sources: readonly TypeSource[] }) {
  const [first, second] = sources;
  if (!first)
    return <EmptyState title="No SDL files">The folder of content types has no SDL files.</EmptyState>;
  return (
    <Accordion
      multiple
      order={3}
      styles={{ label: { paddingBlock: 11, fontSize: 'var(--mantine-font-size-sm)' } }}
      defaultValue={second ? [] : [first.file]}
      keepMounted={false}
    >
      {sources.map(({ file, text }) => (
        <Accordion.Item key={file} value={file}>
          <Accordion.Control style={{ overflowWrap: 'anywhere' }}>{file}</Accordion.Control>
          <Accordion.Panel>
            <CopyField label={`SDL of ${file}`} text={text} maxHeight={480} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

/**
 * How many stored assets do not fit the content types, with a link to them.
 */
function UnfitSummary() {
  const query = useQuery(unfitReport);
  return (
    <Section title="Stored assets">
      <Loaded query={query} what="assets that do not fit">
        {(report) => (
          <Text size="sm">
            {describe(report)}{' '}
            <Anchor component={Link} to={unfitPath} inherit underline="always">
              Assets that do not fit
            </Anchor>
          </Text>
        )}
      </Loaded>
    </Section>
  );
}

function describe({ items }: UnfitReport): string {
  const unfit = items.reduce((sum, item) => sum + item.unfit, 0);
  const isCounted = items.every(({ countedAt }) => countedAt !== undefined);
  if (unfit > 0) {
    const number = `${countOf(unfit, 'asset')} ${unfit === 1 ? 'does' : 'do'}`;
    return `${number} not fit the content types.${isCounted ? '' : ' The count is not finished.'}`;
  }
  return isCounted ? 'All assets fit the content types.' : 'The assets are being counted.';
}
