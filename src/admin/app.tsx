/**
 * The pages and their addresses. Each is loaded when it is first opened.
 */
import { Suspense } from 'react';
import { createRoutesFromElements, Route, type RouteObject, useRoutes } from 'react-router';
import { useOtherTabs } from './other-tabs.ts';
import { NotFound } from './pages/not-found.tsx';
import { PageBoundary } from './parts/loading/page-boundary.tsx';
import { lazyPage } from './parts/loading/page-load.ts';
import { usePreload } from './parts/loading/preload.ts';
import { neededRole, RequireRole, RequireSession } from './require-session.tsx';
import { PageRoles } from './roles.ts';
import { useFreshKnowledge } from './session.ts';
import { Shell } from './shell.tsx';

const SignIn = lazyPage(() => import('./pages/sign-in/page.tsx'));
const BeginSignIn = lazyPage(() => import('./pages/sign-in/begin.tsx'));
const SignInCallback = lazyPage(() => import('./pages/sign-in/callback.tsx'));
const SignInDone = lazyPage(() => import('./pages/sign-in/done.tsx'));
const Home = lazyPage(() => import('./pages/home/page.tsx'));
const Endpoints = lazyPage(() => import('./pages/endpoints/page.tsx'));
const ApiClient = lazyPage(() => import('./pages/api-client/page.tsx'));
const GraphqlEndpoint = lazyPage(() => import('./pages/graphql-endpoint/page.tsx'));
const RestEndpoint = lazyPage(() => import('./pages/rest-endpoint/page.tsx'));
const Versions = lazyPage(() => import('./pages/rest-endpoint/versions/versions.tsx'));
const Explorer = lazyPage(() => import('./pages/explorer/page.tsx'));
const Predicates = lazyPage(() => import('./pages/predicates/page.tsx'));
const ContentTypes = lazyPage(() => import('./pages/content/types/types.tsx'));
const Assets = lazyPage(() => import('./pages/content/list/assets.tsx'));
const AssetForm = lazyPage(() => import('./pages/content/asset/asset.tsx'));
const Types = lazyPage(() => import('./pages/content-types/page.tsx'));
const TypePage = lazyPage(() => import('./pages/content-types/type/page.tsx'));
const Unfit = lazyPage(() => import('./pages/unfit/page.tsx'));
const UnfitAssets = lazyPage(() => import('./pages/unfit/assets.tsx'));
const Files = lazyPage(() => import('./pages/files/page.tsx'));
const Releases = lazyPage(() => import('./pages/releases/page.tsx'));
const Release = lazyPage(() => import('./pages/releases/release.tsx'));
const DeletedAssets = lazyPage(() => import('./pages/content/deleted/page.tsx'));
const Runs = lazyPage(() => import('./pages/runs/page.tsx'));
const Run = lazyPage(() => import('./pages/runs/run.tsx'));
const Webhooks = lazyPage(() => import('./pages/webhooks/page.tsx'));
const Webhook = lazyPage(() => import('./pages/webhooks/webhook/page.tsx'));
const Deliveries = lazyPage(() => import('./pages/webhooks/deliveries/page.tsx'));
const Delivery = lazyPage(() => import('./pages/webhooks/deliveries/delivery.tsx'));
const Audit = lazyPage(() => import('./pages/audit/page.tsx'));
const Users = lazyPage(() => import('./pages/users/page.tsx'));
const Account = lazyPage(() => import('./pages/account/page.tsx'));
const Invitation = lazyPage(() => import('./pages/invitation.tsx'));
const Docs = lazyPage(() => import('./pages/docs/page.tsx'));

/** The routes of the pages. `new` in place of an ID creates a resource. Pages that need no role but that of an editor stand first. */
export const pageRoutes: RouteObject[] = createRoutesFromElements(
  <>
    <Route
      path="/admin/sign-in"
      element={
        <PageBoundary place="/admin/sign-in">
          <SignIn />
        </PageBoundary>
      }
    />
    <Route
      path="/admin/sign-in/begin"
      element={
        <PageBoundary place="/admin/sign-in/begin">
          <BeginSignIn />
        </PageBoundary>
      }
    />
    <Route
      path="/admin/sign-in/callback"
      element={
        <PageBoundary place="/admin/sign-in/callback">
          <SignInCallback />
        </PageBoundary>
      }
    />
    <Route
      path="/admin/sign-in/done"
      element={
        <PageBoundary place="/admin/sign-in/done">
          <SignInDone />
        </PageBoundary>
      }
    />
    <Route
      path="/admin/invitation"
      element={
        <PageBoundary place="/admin/invitation">
          <Invitation />
        </PageBoundary>
      }
    />
    <Route
      element={
        <RequireSession>
          <Shell />
        </RequireSession>
      }
    >
      <Route path="/admin" element={<Home />} />
      <Route path="/admin/content" element={<ContentTypes />} />
      <Route path="/admin/content/:type" element={<Assets />} />
      <Route path="/admin/content/:type/:id" element={<AssetForm />} />
      <Route path="/admin/types/unfit" element={<Unfit />} />
      <Route path="/admin/types/unfit/:type" element={<UnfitAssets />} />
      <Route path="/admin/types/:type" element={<TypePage />} />
      <Route path="/admin/files" element={<Files />} />
      <Route path="/admin/releases" element={<Releases />} />
      <Route path="/admin/releases/:release" element={<Release />} />
      <Route path="/admin/deleted" element={<DeletedAssets />} />
      <Route path="/admin/account" element={<Account />} />
      <Route element={<RequireRole needed="editor" />}>
        <Route path="/admin/runs" element={<Runs />} />
        <Route path="/admin/runs/:run" element={<Run />} />
      </Route>
      <Route element={<RequireRole needed="developer" />}>
        <Route path="/admin/endpoints" element={<Endpoints />} />
        <Route path="/admin/api-clients/:id" element={<ApiClient />} />
        <Route path="/admin/graphql-endpoints/:id" element={<GraphqlEndpoint />} />
        <Route path="/admin/rest-endpoints/:id" element={<RestEndpoint />} />
        <Route path="/admin/rest-endpoints/:id/versions" element={<Versions />} />
        <Route path="/admin/explorer" element={<Explorer />} />
        <Route path="/admin/types" element={<Types />} />
        <Route path="/admin/webhooks" element={<Webhooks />} />
        <Route path="/admin/webhooks/:id" element={<Webhook />} />
        <Route path="/admin/webhooks/:id/deliveries" element={<Deliveries />} />
        <Route path="/admin/webhooks/:id/deliveries/:seq" element={<Delivery />} />
        <Route path="/admin/predicates" element={<Predicates />} />
        <Route path="/docs" element={<Docs />} />
        <Route path="/docs/:id" element={<Docs />} />
      </Route>
      <Route element={<RequireRole needed="admin" />}>
        <Route path="/admin/users" element={<Users />} />
        <Route path="/admin/audit" element={<Audit />} />
      </Route>
      <Route path="*" element={<NotFound />} />
    </Route>
  </>,
);

const roleOfPage = (path: string) => neededRole(pageRoutes, path);

/** The page at the current address. */
export function App() {
  useFreshKnowledge();
  useOtherTabs();
  usePreload(pageRoutes);
  // Until the first page is there, index.html draws.
  return (
    <PageRoles value={roleOfPage}>
      <Suspense fallback={null}>{useRoutes(pageRoutes)}</Suspense>
    </PageRoles>
  );
}
