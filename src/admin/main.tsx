/**
 * Starts the admin UI.
 */
import './parts/layout/mantine.css';
import '@mantine/notifications/styles.css';
import '@fontsource-variable/inter/wght.css';
import './parts/layout/base.css';
import './parts/layout/print.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { sessionKeeper } from './api.ts';
import { App, pageRoutes } from './app.tsx';
import { pageBasePath } from './base-path.ts';
import { browserValues } from './kept-values.ts';
import { FocusTrail } from './parts/confirm/dialog.tsx';
import { readableColors, theme } from './parts/layout/theme.ts';
import { UnexpectedFailure } from './parts/loading/page-boundary.tsx';
import { PageLoadError } from './parts/loading/page-load.ts';
import { loadPage } from './parts/loading/preload.ts';
import { createQueryClient } from './session.ts';

/** The name that index.html reads in the browser's storage. */
const key = 'colophon.signed-in';

/** Keeps whether a user is signed in, for the next time that the UI is opened. */
function rememberFrame(): void {
  const { phase } = sessionKeeper.getState();
  if (phase === 'signedIn') browserValues.set(key, 'yes');
  if (phase === 'signedOut') browserValues.remove(key);
}

/** Whether index.html has drawn the frame. */
const isFramed = () => document.documentElement.dataset.firstFrame !== undefined;

/** A data router with one route for all pages: only a data router lets a form block navigation while it has unsaved changes. */
const router = createBrowserRouter([{ path: '*', element: <App />, errorElement: <UnexpectedFailure /> }], {
  basename: pageBasePath,
});

ignoreStrayDrops(window);
sessionKeeper.subscribe(rememberFrame);
// The code of the first page, while the session is being asked for.
void loadPage(pageRoutes, isFramed() ? window.location.pathname : '/admin/sign-in');
void sessionKeeper.load();

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element "root"');
createRoot(root, { onCaughtError }).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={readableColors} defaultColorScheme="auto">
      <Notifications position="bottom-right" />
      <QueryClientProvider client={createQueryClient()}>
        <FocusTrail>
          <RouterProvider router={router} />
        </FocusTrail>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);

/**
 * Logs errors that a boundary caught, since they are bugs. The exception is page code that did not load, which the page itself
 * reports.
 */
function onCaughtError(error: unknown): void {
  if (!(error instanceof PageLoadError)) reportError(error);
}

/** Ignores the drops of files that nothing on the page takes. */
function ignoreStrayDrops(page: Window): void {
  page.addEventListener('dragover', (event) => {
    if (event.defaultPrevented || !hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
  });
  page.addEventListener('drop', (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
