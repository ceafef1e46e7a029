/**
 * Starts the admin UI.
 */
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import { createTheme, MantineProvider, Notification } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { sessionKeeper } from './api.ts';
import { App } from './app.tsx';
import { PageLoadError } from './parts/page-load.ts';
import { readableColors } from './parts/readable-colors.ts';
import { UnexpectedFailure } from './parts/unexpected-failure.tsx';
import { createQueryClient } from './session.ts';

const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 7 },
  defaultRadius: 'md',
  fontFamily: 'system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  respectReducedMotion: true,
  components: {
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } }),
  },
});

/** Its one route is everything; a router of this kind lets a form keep one from leaving unsaved changes. */
const router = createBrowserRouter([{ path: '*', element: <App />, errorElement: <UnexpectedFailure /> }]);

void sessionKeeper.load();

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element "root"');
createRoot(root, { onCaughtError }).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={readableColors} defaultColorScheme="auto">
      <Notifications position="bottom-right" />
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);

/** Errors that a boundary has caught are bugs, but for a page whose code did not arrive: that is told on the page. */
function onCaughtError(error: unknown): void {
  if (!(error instanceof PageLoadError)) reportError(error);
}
