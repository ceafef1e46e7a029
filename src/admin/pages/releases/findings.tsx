/**
 * What keeps drafts from being published, with links to the fields and the way to resolve it.
 */
import { Alert, Anchor, Box, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Place, PublicationFinding } from '../../api.ts';
import { labelOfPath } from '../../parts/data/field-label.ts';
import { contentType } from '../../parts/data/lists.ts';
import { pathOfAsset } from '../../parts/data/load-titles.ts';
import { countOf } from '../../parts/data/number-words.ts';
import { stateOfRelease } from '../../parts/releases/work-release.ts';
import { toInputPath } from '../content/draft/find-messages.ts';
import { FindingText, ResolveButton } from '../content/merge/resolve-draft.tsx';

/** Says how many findings there are; nothing without any. */
export function FindingCount({ findings }: { findings: readonly PublicationFinding[] }) {
  if (findings.length === 0) return null;
  return (
    <Text size="sm" role="status">
      {countOf(findings.length, 'problem')} to fix before these drafts can be published.
    </Text>
  );
}

/** The findings, each under the title of its asset; nothing without any. */
export function Findings({
  release,
  findings,
}: {
  release: string;
  findings: readonly PublicationFinding[];
}) {
  return findings.map((finding) => (
    <Alert
      key={`${finding.asset} ${finding.code} ${finding.message}`}
      color="red"
      variant="light"
      title={`${finding.title} cannot be published`}
    >
      <Finding release={release} finding={finding} />
    </Alert>
  ));
}

function Finding({ release, finding }: { release: string; finding: PublicationFinding }) {
  const { asset: _id, type: _type } = finding;
  const type = useQuery(contentType(_type)).data;
  const linkTo = ({ path }: Place) => (
    <Anchor
      component={Link}
      to={`${pathOfAsset({ _id, _type })}?field=${encodeURIComponent(toInputPath(path))}`}
      state={stateOfRelease(release)}
      size="sm"
      c="inherit"
      underline="always"
    >
      {type ? labelOfPath(type, path) : path}
    </Anchor>
  );
  return (
    <Box>
      <FindingText finding={finding} linkTo={linkTo} />
      <ResolveButton release={release} finding={finding} />
    </Box>
  );
}
