/**
 * The pages and their addresses. Each is loaded when it is first opened.
 */
import { lazy, Suspense } from 'react';
import { Route, Routes } from 'react-router';
import { NotFound } from './pages/not-found.tsx';
import { Loading } from './parts/loading.tsx';
import { RequireSession } from './session.tsx';
import { Shell } from './shell.tsx';

const SignIn = lazy(() => import('./pages/sign-in.tsx'));
const Dashboard = lazy(() => import('./pages/dashboard/page.tsx'));
const ApiClient = lazy(() => import('./pages/api-client/page.tsx'));
const GraphqlEndpoint = lazy(() => import('./pages/graphql-endpoint/page.tsx'));
const RestEndpoint = lazy(() => import('./pages/rest-endpoint/page.tsx'));
const Versions = lazy(() => import('./pages/rest-endpoint/versions.tsx'));
const Explorer = lazy(() => import('./pages/explorer/page.tsx'));
const DebugQuery = lazy(() => import('./pages/debug-query/page.tsx'));
const ContentTypes = lazy(() => import('./pages/content/types.tsx'));
const Assets = lazy(() => import('./pages/content/assets.tsx'));
const AssetForm = lazy(() => import('./pages/content/asset.tsx'));
const Docs = lazy(() => import('./pages/docs/page.tsx'));

/** Everything there is to open; `new` in place of an ID makes one. */
export function App() {
  return (
    <Suspense fallback={<Loading />}>
      <Routes>
        <Route path="/admin/sign-in" element={<SignIn />} />
        <Route
          element={
            <RequireSession>
              <Shell />
            </RequireSession>
          }
        >
          <Route path="/admin" element={<Dashboard />} />
          <Route path="/admin/api-clients/:id" element={<ApiClient />} />
          <Route path="/admin/graphql-endpoints/:id" element={<GraphqlEndpoint />} />
          <Route path="/admin/rest-endpoints/:id" element={<RestEndpoint />} />
          <Route path="/admin/rest-endpoints/:id/versions" element={<Versions />} />
          <Route path="/admin/explorer" element={<Explorer />} />
          <Route path="/admin/content" element={<ContentTypes />} />
          <Route path="/admin/content/:type" element={<Assets />} />
          <Route path="/admin/content/:type/:id" element={<AssetForm />} />
          <Route path="/_debug/query" element={<DebugQuery />} />
          <Route path="/docs" element={<Docs />} />
          <Route path="/docs/:id" element={<Docs />} />
          <Route path="*" element={<NotFound />} />
        </Route>
      </Routes>
    </Suspense>
  );
}
