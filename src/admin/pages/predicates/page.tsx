/**
 * The page of predicates: finds assets by any predicate and shows how long the query took. The URL holds the query.
 */
import { Anchor, Code, Kbd, Stack, Text } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { toHref } from '../../base-path.ts';
import { type AssetQuery, fromParameters, toCurl, toParameters } from '../../parts/data/asset-query.ts';
import { useCmaUrl } from '../../parts/data/documents.ts';
import { useAssets } from '../../parts/data/use-assets.ts';
import { CopyField } from '../../parts/layout/copy-field.tsx';
import { Page } from '../../parts/layout/page.tsx';
import { findPredicateFlaw } from '../../parts/problems/predicate-error.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { QueryForm } from './query-form.tsx';
import { QueryResult } from './query-result.tsx';

export default function Predicates() {
  const [parameters, setParameters] = useSearchParams();
  const asked = useMemo(() => fromParameters(parameters), [parameters]);
  const [draft, setDraft] = useState(asked);
  // The address changes by going back, too.
  useEffect(() => setDraft(asked), [asked]);
  const result = useAssets(asked);
  const cmaUrl = useCmaUrl();
  const flaw = findPredicateFlaw(result.error);

  const run = (query: AssetQuery) => {
    const next = toParameters(query);
    if (next.toString() === toParameters(asked).toString()) void result.refetch();
    else setParameters(next);
  };
  return (
    <Page title="Predicates" info={<PredicateInfo />} isWide>
      <Stack gap="md">
        <QueryForm
          draft={draft}
          onChange={setDraft}
          onRun={run}
          isRunning={result.isFetching}
          flaw={flaw && { where: asked.where, ...flaw }}
        />
        {!flaw && <ProblemAlert error={result.error} title="The query did not run" />}
        {result.data && (
          <QueryResult result={result.data} query={asked} onMove={(offset) => run({ ...asked, offset })} />
        )}
        {asked.from !== '' && cmaUrl && <CopyField label="CMA request" text={toCurl(asked, cmaUrl)} />}
      </Stack>
    </Page>
  );
}

/** What a newcomer asks. */
function PredicateInfo() {
  return (
    <Stack gap="xs">
      <Text size="sm">
        A predicate is a condition that assets meet, such as <Code>name startsWith 'A'</Code>. It filters
        lists, APIs and webhooks. The guide explains{' '}
        <Anchor href={toHref('/docs/guide/predicates')} inherit underline="always">
          fields and operators
        </Anchor>
        .
      </Text>
      <Text size="sm">
        Without a predicate, all assets are found. A <Code>?</Code> stands for the next of the values.{' '}
        <Kbd>Ctrl</Kbd> or <Kbd>⌘</Kbd> + <Kbd>Enter</Kbd> runs the query.
      </Text>
    </Stack>
  );
}
