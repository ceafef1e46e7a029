/**
 * The page of the content types: their SDL as the server was started with it, and the check of a change before it is
 * deployed.
 */
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { toHref } from '../../base-path.ts';
import { typeSources } from '../../parts/data/lists.ts';
import { Page, Section } from '../../parts/layout/page.tsx';
import { Loaded } from '../../parts/loading/loaded.tsx';
import { CheckForm } from './check/check-form.tsx';
import { TypeFiles } from './type-files.tsx';
import { UnfitSummary } from './unfit-summary.tsx';

/** @public Data that is read ahead, while the mouse rests on a link to the page. */
export const readAhead = () => [typeSources];

export default function ContentTypesPage() {
  const query = useQuery(typeSources);
  return (
    <Page title="Content types">
      <Text size="sm">
        The content types of this installation are SDL files that the server reads when it starts. The guide
        explains <GuideLink page="changing-types">changing types</GuideLink> and{' '}
        <GuideLink page="checking-types">checking types</GuideLink>.
      </Text>
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

/** A link to a page of the guide. The guide is not part of this application, so the browser loads it. */
function GuideLink({ page, children }: { page: string; children: string }) {
  return (
    <Anchor href={toHref(`/docs/guide/${page}`)} inherit underline="always">
      {children}
    </Anchor>
  );
}
