/**
 * The page that shows an asset, with the drafts of a release, in a frame beside the form.
 */
import { Alert, Anchor, Code, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ContentType } from '../../../api.ts';
import { Loaded } from '../../../parts/loading/loading.tsx';
import { previewOf } from '../../../parts/releases/preview-data.ts';
import { PreviewLinks } from '../../../parts/releases/preview-links.tsx';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import classes from './preview-panel.module.css';

/** The panel; it loads the page again when the asset is saved. */
export function PreviewPanel({
  stored: { data: asset, tag },
  type,
  release,
}: {
  stored: StoredAsset;
  type: ContentType;
  release: string;
}) {
  const hasPath = type.previewPath !== undefined;
  const client = useQueryClient();
  const query = useQuery({
    ...previewOf(client, { id: asset._id, release, nowMs: Date.now }),
    enabled: hasPath,
  });
  const panel = useRef<HTMLDivElement>(null);
  // On a small screen it stands below the form.
  useEffect(() => panel.current?.focus(), []);
  return (
    <Stack
      component="section"
      ref={panel}
      tabIndex={-1}
      aria-label="Preview"
      className={classes.panel}
      gap="sm"
    >
      {!hasPath && (
        <Alert color="gray" title="This type has no preview">
          <Text size="sm">
            A developer names the path of its pages in the content type, such as{' '}
            <Code>@preview(path: "/news/{'{slug}'}")</Code>. Preview links work on any page that passes them
            on.
          </Text>
        </Alert>
      )}
      {hasPath && (
        <Loaded query={query} what="the preview">
          {(preview) =>
            preview === null ? (
              <Missing path={type.previewPath ?? ''} />
            ) : (
              <Frame key={`${preview.address} ${tag}`} address={preview.address} />
            )
          }
        </Loaded>
      )}
      <PreviewLinks release={release} page={query.data?.page} />
    </Stack>
  );
}

function Missing({ path }: { path: string }) {
  return (
    <Alert color="gray" title="This asset has no preview yet">
      <Text size="sm">
        The path of its page is <Code>{path}</Code>. Either a field in braces has no saved value, or the page
        has no address: neither the site of the asset has a URL, nor the setting{' '}
        <Code>COLOPHON_PREVIEW_URL</Code> one.
      </Text>
    </Alert>
  );
}

function Frame({ address }: { address: string }) {
  const isRefused = useIsRefused(address);
  return (
    <>
      <Group gap="xs" justify="space-between">
        <Anchor href={address} target="_blank" rel="noreferrer" size="sm" underline="always">
          Open preview in a new tab
        </Anchor>
        <Text size="sm">Shows what is saved.</Text>
      </Group>
      {isRefused ? (
        <Alert color="orange" title="The browser does not show this page in a frame">
          <Text size="sm">
            Its address does not begin with https, or is not among those that the server allows. Open it in a
            new tab.
          </Text>
        </Alert>
      ) : (
        <iframe
          className={classes.frame}
          title="Preview"
          src={address}
          referrerPolicy="no-referrer"
          sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
        />
      )}
      <Text size="xs">
        If the frame stays empty, the page does not allow this address in its <Code>frame-ancestors</Code>.
      </Text>
    </>
  );
}

/** Whether the browser does not load an address in a frame of this page, because of its policy or since the address is not encrypted. */
function useIsRefused(address: string): boolean {
  const [isRefused, setIsRefused] = useState(
    () => window.location.protocol === 'https:' && !address.startsWith('https:'),
  );
  useEffect(() => {
    const { origin } = new URL(address);
    const listener = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
      if (effectiveDirective === 'frame-src' && blockedURI.startsWith(origin)) setIsRefused(true);
    };
    document.addEventListener('securitypolicyviolation', listener);
    return () => document.removeEventListener('securitypolicyviolation', listener);
  }, [address]);
  return isRefused;
}
