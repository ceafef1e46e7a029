/**
 * A link to where the guide explains what the reference lists.
 */
import { Anchor } from '@mantine/core';
import { toHref } from '../../base-path.ts';
import type { GuidePlace } from './guide-places.ts';

/** The link. The guide is not part of this application, so the browser loads it. */
export function GuideLink({ place: { label, path } }: { place: GuidePlace }) {
  return (
    <Anchor href={toHref(`/docs/guide/${path}`)} inherit underline="always">
      {label}
    </Anchor>
  );
}
