/**
 * Shows one document in Swagger UI. Only the API reference imports this file, since the import loads Swagger UI. Swagger UI has
 * its own React and cannot be unmounted, so each document gets a separate element that is removed afterwards.
 */
import 'swagger-ui-dist/swagger-ui.css';
import './swagger-ui.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import createSwaggerUi from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { serverUrl } from '../../base-path.ts';
import type { OpenApiDocument } from '../../parts/data/documents.ts';

/** The document, with requests to try. `csrfToken` lets those to the admin API go out in the user's session. */
export function SwaggerUi({
  document: spec,
  csrfToken,
}: {
  document: OpenApiDocument;
  csrfToken: string | undefined;
}) {
  const place = useRef<HTMLDivElement>(null);
  useDarkMode();
  const [viewer, setViewer] = useState<ReturnType<typeof createSwaggerUi>>();
  useEffect(() => {
    const domNode = document.createElement('div');
    place.current?.append(domNode);
    // Without servers, requests go to where the page comes from, which has the session.
    const { servers: _, ...ownSpec } = spec;
    const created = createSwaggerUi({
      spec: ownSpec,
      requestInterceptor: addBasePath,
      domNode,
      presets: [createSwaggerUi.presets.apis],
      // Documents are not sent to the validator of swagger.io.
      validatorUrl: null,
      onComplete: () => setViewer(() => created),
    });
    return () => domNode.remove();
  }, [spec]);
  // Who signs in again gets another token, and keeps what was typed.
  useEffect(() => {
    if (csrfToken !== undefined) viewer?.preauthorizeApiKey('csrfToken', csrfToken);
  }, [viewer, csrfToken]);
  return <div ref={place} />;
}

/** Sends a request below the path of the public URL. */
function addBasePath<Sent extends { url: string }>(request: Sent): Sent {
  return { ...request, url: serverUrl + request.url.slice(window.location.origin.length) };
}

/** Swagger UI is dark where the page's root element says so. */
function useDarkMode() {
  const isDark = useComputedColorScheme('light') === 'dark';
  useEffect(() => {
    const { classList } = document.documentElement;
    classList.toggle('dark-mode', isDark);
    return () => classList.remove('dark-mode');
  }, [isDark]);
}
