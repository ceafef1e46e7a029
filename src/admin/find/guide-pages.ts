/**
 * The pages of the guide in sections: the navigation of the guide has them from here, and the search of the admin UI finds them.
 */

export const guidePages = [
  {
    text: 'Start',
    items: [
      { text: 'Overview', link: '/overview' },
      { text: 'Getting started', link: '/getting-started' },
      { text: 'Content types', link: '/content-types' },
      { text: 'Modelling', link: '/modelling' },
      { text: 'Changing types', link: '/changing-types' },
      { text: 'A change step by step', link: '/types-walkthrough' },
    ],
  },
  {
    text: 'APIs',
    items: [
      { text: 'Content management API', link: '/cma' },
      { text: 'Predicates', link: '/predicates' },
      { text: 'History', link: '/history' },
      { text: 'Releases and drafts', link: '/releases' },
      { text: 'Preview', link: '/preview' },
      { text: 'Feed of changes', link: '/feed' },
      { text: 'GraphQL endpoints', link: '/graphql' },
      { text: 'REST endpoints', link: '/rest-endpoints' },
      { text: 'Files', link: '/files' },
      { text: 'Webhooks', link: '/webhooks' },
      { text: 'Agents', link: '/agents' },
      { text: 'Admin API', link: '/admin-api' },
    ],
  },
  {
    text: 'Tools',
    items: [
      { text: 'Admin UI', link: '/admin-ui' },
      { text: 'Typed client', link: '/client' },
      { text: 'Front ends', link: '/front-ends' },
      { text: 'Checking types', link: '/checking-types' },
      { text: 'Moving from other systems', link: '/moving-in' },
      { text: 'Moving content', link: '/moving-content' },
      { text: 'Runs', link: '/runs' },
      { text: 'Configuration as files', link: '/configuration-as-files' },
      { text: 'Contract tests', link: '/contract-tests' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Command line', link: '/command-line' },
      { text: 'Configuration', link: '/configuration' },
      { text: 'Signing in', link: '/sign-in' },
      { text: 'Operating', link: '/operating' },
      { text: 'Production', link: '/production' },
      { text: 'Upgrading', link: '/upgrading' },
      { text: 'As a library', link: '/embedding' },
      { text: 'Backups', link: '/backup' },
      { text: 'Glossary', link: '/glossary' },
    ],
  },
  {
    text: 'Architecture',
    collapsed: true,
    items: [
      { text: 'Overview', link: '/architecture/' },
      { text: 'Mechanisms', link: '/architecture/mechanisms' },
      { text: 'Stores', link: '/architecture/stores' },
      { text: 'Backups', link: '/architecture/backups' },
      { text: 'Costs', link: '/architecture/costs' },
      { text: 'Dependencies', link: '/architecture/dependencies' },
      { text: 'Tests', link: '/architecture/tests' },
      { text: 'The MongoDB server of the tests', link: '/architecture/test-server' },
    ],
  },
];
