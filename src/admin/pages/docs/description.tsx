/**
 * The texts of the reference and their links to the guide.
 */
import { Anchor, Code, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { toHref } from '../../base-path.ts';
import type { GuidePlace } from './guide-places.ts';

/** The text in paragraphs; nothing for an empty one. */
export function Description({ text }: { text: string }) {
  const paragraphs = text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '');
  return paragraphs.map((paragraph) => (
    <Text key={paragraph} size="sm" maw={760} style={{ overflowWrap: 'anywhere' }}>
      {toNodes(paragraph)}
    </Text>
  ));
}

function toNodes(paragraph: string): ReactNode[] {
  return paragraph.split(/(`[^`]+`|\[[^\]]+\]\(https:[^)\s]+\))/).map((part, index) => {
    // Parts of a text have no other key than their place.
    const key = `${index} ${part}`;
    if (part.startsWith('`') && part.length > 1) return <Code key={key}>{part.slice(1, -1)}</Code>;
    const [, label, href] = /^\[([^\]]+)\]\((https:[^)\s]+)\)$/.exec(part) ?? [];
    if (href === undefined) return part;
    return (
      <Anchor key={key} href={href} inherit underline="always">
        {label}
      </Anchor>
    );
  });
}

/** The link. The guide is not part of this application, so the browser loads it. */
export function GuideLink({ place: { label, path } }: { place: GuidePlace }) {
  return (
    <Anchor href={toHref(`/docs/guide/${path}`)} inherit underline="always">
      {label}
    </Anchor>
  );
}
