import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/app/config/config.ts';
import { shippedTypesFolder } from '../../../src/types/type-sources.ts';

const defaults = {
  host: '127.0.0.1',
  port: 4000,
  workers: 1,
  dataDir: 'data',
  typesDir: shippedTypesFolder,
  typesGiven: false,
  basePath: '',
  cmaEnabled: true,
  cmaPath: '/api/rest/cma/contents',
  cmaCors: { origins: [], maxAge: 600 },
  erasesDeletions: false,
  siteOwnerRequired: false,
  referencesChecked: true,
  maxBodyBytes: 4_194_304,
  maxFileBytes: 104_857_600,
  filesAccess: 'ANYONE',
  imageSizes: [160, 320, 640, 960, 1280, 1920, 2560],
  imageCacheBytes: 1_073_741_824,
  webhookPrivate: false,
  maxRequests: 1000,
  maxStreams: 100,
  mcpEnabled: false,
  maxAnswerBytes: 33_554_432,
  queryMs: 5000,
  routeCacheBytes: 33_554_432,
  shutdownMs: 10_000,
  logLevel: 'info',
  historyDays: 90,
  ignoredVariables: [],
};

describe('the public URL', () => {
  it.each([
    ['https://cms.example.com', 'https://cms.example.com', ''],
    ['https://cms.example.com/', 'https://cms.example.com', ''],
    ['https://example.com:8443/a/cms/', 'https://example.com:8443/a/cms', '/a/cms'],
  ])('%s has a base path', (given, publicUrl, basePath) => {
    expect(readConfig({ COLOPHON_PUBLIC_URL: given })).toMatchObject({ publicUrl, basePath });
  });

  it('must not overlap the path of the CMA', () => {
    const given = { COLOPHON_PUBLIC_URL: 'https://example.com/cms', COLOPHON_CMA_PATH: '/cms/contents' };
    expect(() => readConfig(given)).toThrow(/COLOPHON_PUBLIC_URL has the path \/cms, which must not overlap/);
  });
});

describe('the configuration', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toEqual(defaults);
  });

  it('treats an empty variable as absent, and ignores variables of other programs', () => {
    const environment = {
      COLOPHON_PORT: '',
      COLOPHON_MONGODB_URL: '',
      HOST: '1',
      colophon_port: '2',
      HOME: '/',
    };
    expect(readConfig({ ...environment, COLOPHON_TEST_MONGODB_URL: 'x' })).toEqual(defaults);
  });

  it.each<[variable: string, text: string, config: object]>([
    ['COLOPHON_HOST', '::', { host: '::' }],
    ['COLOPHON_PORT', '0', { port: 0 }],
    ['COLOPHON_PORT', '65535', { port: 65_535 }],
    ['COLOPHON_WORKERS', '64', { workers: 64 }],
    ['COLOPHON_WORKERS', 'auto', { workers: availableParallelism() }],
    ['COLOPHON_WORKER', '2', { worker: 2 }],
    ['COLOPHON_DATA_DIR', '/var/lib/colophon', { dataDir: '/var/lib/colophon' }],
    ['COLOPHON_MONGODB_URL', 'mongodb://localhost/x', { mongodbUrl: 'mongodb://localhost/x' }],
    ['COLOPHON_MONGODB_URL', 'mongodb+srv://x.example', { mongodbUrl: 'mongodb+srv://x.example' }],
    ['COLOPHON_FILES_URL', 's3://b-1.x/some/prefix/', { filesUrl: 's3://b-1.x/some/prefix/' }],
    [
      'COLOPHON_FILES_URL',
      's3://bucket?region=x&endpoint=http://a:9000',
      { filesUrl: 's3://bucket?region=x&endpoint=http://a:9000' },
    ],
    ['COLOPHON_TYPES', 'my types', { typesDir: 'my types', typesGiven: true }],
    ['COLOPHON_CMA_ENABLED', 'false', { cmaEnabled: false }],
    ['COLOPHON_MCP', 'true', { mcpEnabled: true }],
    ['COLOPHON_CMA_PATH', '/c', { cmaPath: '/c' }],
    ['COLOPHON_CMA_PATH', '/api/administration', { cmaPath: '/api/administration' }],
    ['COLOPHON_CMA_PATH', '/a-b/c.v1/~d_e', { cmaPath: '/a-b/c.v1/~d_e' }],
    ['COLOPHON_DELETE', 'erase', { erasesDeletions: true }],
    ['COLOPHON_SITE_OWNER', 'required', { siteOwnerRequired: true }],
    ['COLOPHON_REFERENCES', 'unchecked', { referencesChecked: false }],
    ['COLOPHON_MAX_BODY_BYTES', '1024', { maxBodyBytes: 1024 }],
    ['COLOPHON_MAX_FILE_BYTES', '2147483647', { maxFileBytes: 2_147_483_647 }],
    ['COLOPHON_FILES_ACCESS', 'CLIENT_CREDENTIALS', { filesAccess: 'CLIENT_CREDENTIALS' }],
    ['COLOPHON_IMAGE_SIZES', '100, 8192', { imageSizes: [100, 8192] }],
    ['COLOPHON_IMAGE_CACHE_BYTES', '0', { imageCacheBytes: 0 }],
    ['COLOPHON_MAX_REQUESTS', '100000', { maxRequests: 100_000 }],
    ['COLOPHON_MAX_STREAMS', '0', { maxStreams: 0 }],
    ['COLOPHON_HISTORY_DAYS', '7', { historyDays: 7 }],
    ['COLOPHON_MAX_ANSWER_BYTES', '1024', { maxAnswerBytes: 1024 }],
    ['COLOPHON_QUERY_MS', '10', { queryMs: 10 }],
    ['COLOPHON_ROUTE_CACHE_BYTES', '0', { routeCacheBytes: 0 }],
    ['COLOPHON_TRUST_PROXY', '1', { trustedProxies: 1 }],
    ['COLOPHON_TRUST_PROXY', 'loopback, 10.0.0.0/8', { trustedProxies: ['loopback', '10.0.0.0/8'] }],
    ['COLOPHON_HSTS', 'max-age=60', { hsts: 'max-age=60' }],
    [
      'COLOPHON_HSTS',
      'max-age=63072000; includeSubDomains; preload',
      { hsts: 'max-age=63072000; includeSubDomains; preload' },
    ],
    ['COLOPHON_SHUTDOWN_MS', '0', { shutdownMs: 0 }],
    ['COLOPHON_LOG_LEVEL', 'silent', { logLevel: 'silent' }],
    ['COLOPHON_CLIENT_ID', '!~', { firstClientId: '!~' }],
    ['COLOPHON_CLIENT_SCOPES', 'cma:read, admin', { firstClientScopes: ['cma:read', 'admin'] }],
    ['PORT', '8080', { port: 8080 }],
    ['COLOPHON_CLIENT_SECRET', 'x'.repeat(200), { firstClientSecret: 'x'.repeat(200) }],
    ['COLOPHON_ADMIN_EMAIL', 'Ada@localhost', { adminEmail: 'Ada@localhost' }],
    ['COLOPHON_SECRET_KEY', 'k'.repeat(32), { secretKey: 'k'.repeat(32) }],
    ['COLOPHON_WEBHOOK_PRIVATE', 'true', { webhookPrivate: true }],
    ['COLOPHON_ADMIN_PASSWORD', 'pass wörd 1', { adminPassword: 'pass wörd 1' }],
  ])('reads %s=%s', (variable, text, config) => {
    expect(readConfig({ [variable]: text })).toEqual({ ...defaults, ...config });
  });

  it.each([
    ['COLOPHON_PORT', '65536'],
    ['COLOPHON_PORT', '-1'],
    ['COLOPHON_PORT', '80.0'],
    ['COLOPHON_PORT', '0x50'],
    ['COLOPHON_PORT', ' 80'],
    ['COLOPHON_WORKERS', '0'],
    ['COLOPHON_WORKERS', '65'],
    ['COLOPHON_WORKERS', 'all'],
    ['COLOPHON_WORKER', '0'],
    ['COLOPHON_MONGODB_URL', 'localhost:27017'],
    ['COLOPHON_FILES_URL', 'https://bucket.s3.example.com'],
    ['COLOPHON_FILES_URL', 's3://'],
    ['COLOPHON_FILES_URL', 's3://key:secret@bucket/prefix'],
    ['COLOPHON_FILES_URL', 's3://bucket/../prefix'],
    ['COLOPHON_FILES_URL', 's3://bucket?endpoint=a:9000'],
    ['COLOPHON_FILES_URL', 's3://bucket?endpoint=https://key:secret@s3.example.com'],
    ['COLOPHON_FILES_URL', 's3://bucket?access_key=x'],
    ['COLOPHON_CMA_ENABLED', 'TRUE'],
    ['COLOPHON_CMA_ENABLED', '1'],
    ['COLOPHON_CMA_PATH', '/'],
    ['COLOPHON_CMA_PATH', 'contents'],
    ['COLOPHON_CMA_PATH', '/contents/'],
    ['COLOPHON_CMA_PATH', '//contents'],
    ['COLOPHON_CMA_PATH', '/{id}'],
    ['COLOPHON_CMA_PATH', '/a b'],
    ['COLOPHON_CMA_PATH', '/*'],
    ['COLOPHON_CMA_PATH', '/api/admin'],
    ['COLOPHON_CMA_PATH', '/admin/contents'],
    ['COLOPHON_CMA_PATH', '/graphql'],
    ['COLOPHON_CMA_PATH', '/api'],
    ['COLOPHON_CMA_PATH', '/healthz'],
    ['COLOPHON_SITE_OWNER', 'Required'],
    ['COLOPHON_REFERENCES', 'off'],
    ['COLOPHON_MAX_BODY_BYTES', '1023'],
    ['COLOPHON_MAX_BODY_BYTES', '4MB'],
    ['COLOPHON_MAX_FILE_BYTES', '2147483648'],
    ['COLOPHON_FILES_ACCESS', 'API_KEY'],
    ['COLOPHON_IMAGE_SIZES', '0'],
    ['COLOPHON_IMAGE_SIZES', '640,large'],
    ['COLOPHON_IMAGE_SIZES', '8193'],
    ['COLOPHON_MAX_REQUESTS', '0'],
    ['COLOPHON_HISTORY_DAYS', '6'],
    ['COLOPHON_HISTORY_DAYS', 'ever'],
    ['COLOPHON_PUBLIC_URL', 'cms.example.com'],
    ['COLOPHON_PUBLIC_URL', 'ftp://cms.example.com'],
    ['COLOPHON_PUBLIC_URL', 'https://example.com/cms//'],
    ['COLOPHON_PUBLIC_URL', 'https://example.com/cms?x'],
    ['COLOPHON_PUBLIC_URL', 'https://example.com/a b'],
    ['COLOPHON_PUBLIC_URL', 'https://example.com/admin'],
    ['COLOPHON_PUBLIC_URL', 'https://example.com/api/rest'],
    ['COLOPHON_PUBLIC_URL', 'https://ada:secret@cms.example.com'],
    ['COLOPHON_PREVIEW_URL', 'www.example.com'],
    ['COLOPHON_PREVIEW_URL', 'https://www.example.com/?x'],
    ['COLOPHON_CORS_ORIGINS', 'www.example.com'],
    ['COLOPHON_CORS_ORIGINS', 'https://www.example.com/'],
    ['COLOPHON_CORS_ORIGINS', '*, https://www.example.com'],
    ['COLOPHON_CORS_MAX_AGE', '86401'],
    ['COLOPHON_RATE_LIMIT', '0'],
    ['COLOPHON_RATE_LIMIT', '10,'],
    ['COLOPHON_RATE_LIMIT', '10;20'],
    ['COLOPHON_TRUST_PROXY', 'true'],
    ['COLOPHON_TRUST_PROXY', '0.0.0.0/0'],
    ['COLOPHON_HSTS', 'true'],
    ['COLOPHON_HSTS', '31536000'],
    ['COLOPHON_HSTS', 'max-age=1; x'],
    ['COLOPHON_SHUTDOWN_MS', '600001'],
    ['COLOPHON_LOG_LEVEL', 'verbose'],
    ['COLOPHON_CLIENT_ID', 'a b'],
    ['COLOPHON_CLIENT_SCOPES', 'cma:read,cma'],
    ['COLOPHON_CLIENT_SCOPES', 'admin,admin'],
    ['PORT', 'http'],
    ['COLOPHON_CLIENT_ID', 'x'.repeat(101)],
    ['COLOPHON_CLIENT_SECRET', 'ü'],
    ['COLOPHON_CLIENT_SECRET', 'a\n'],
    ['COLOPHON_ADMIN_EMAIL', 'ada'],
    ['COLOPHON_ADMIN_EMAIL', 'ada@example.org\n'],
    ['COLOPHON_ADMIN_PASSWORD', 'x'.repeat(1001)],
    ['COLOPHON_CMA_PTAH', '/contents'],
    ['COLOPHON_PORT', 'tcp:/10.0.0.1:4000'],
    ['COLOPHON_SERVICE_HOTS', '10.0.0.1'],
    ['COLOPHON_SERVICE_HOST', 'localhost'],
    ['COLOPHON_MONGODB_PORT', '27017'],
    ['COLOPHON_PORT_4000_TCP', '4000'],
    ['COLOPHON_', 'x'],
    ['COLOPHON_toString', 'x'],
  ])('refuses %s=%s', (variable, text) => {
    const problems = [{ path: variable, message: expect.any(String) }];
    expect(() => readConfig({ [variable]: text })).toThrow(
      expect.objectContaining({ code: 'bad_config', details: { problems } }),
    );
  });

  it('ignores variables that Kubernetes sets for services', () => {
    const given = {
      COLOPHON_SERVICE_HOST: '10.96.12.7',
      COLOPHON_SERVICE_PORT: '4000',
      COLOPHON_SERVICE_PORT_HTTP: '4000',
      COLOPHON_PORT: 'tcp://10.96.12.7:4000',
      COLOPHON_PORT_4000_TCP: 'tcp://10.96.12.7:4000',
      COLOPHON_PORT_4000_TCP_PROTO: 'tcp',
      COLOPHON_PORT_4000_TCP_PORT: '4000',
      COLOPHON_PORT_4000_TCP_ADDR: '10.96.12.7',
      COLOPHON_MONGODB_SERVICE_HOST: 'fd00::7',
      COLOPHON_MONGODB_PORT: 'tcp://[fd00::7]:27017',
      COLOPHON_MONGODB_PORT_27017_TCP_ADDR: 'fd00::7',
    };
    expect(readConfig(given)).toEqual({ ...defaults, ignoredVariables: Object.keys(given) });
    expect(readConfig({ ...given, PORT: '8080' }).port).toBe(8080);
    expect(readConfig({ COLOPHON_PORT: '8081', PORT: '8080' }).port).toBe(8081);
    expect(() => readConfig({ ...given, COLOPHON_SERVICE: 'x' })).toThrow(
      'COLOPHON_SERVICE is not a setting',
    );
  });

  it('names the configured path that another path would hide', () => {
    expect(() => readConfig({ COLOPHON_CMA_PATH: '/api' })).toThrow(
      'COLOPHON_CMA_PATH must not overlap /api/admin, which is reserved for Colophon',
    );
  });

  it('reports all problems at once, without secrets', () => {
    const environment = {
      COLOPHON_PORT: 'x',
      COLOPHON_CLIENT_SECRET: 'secret ü',
      COLOPHON_ADMIN_PASSWORD: 's3cret'.repeat(200),
      COLOPHON_CLIENT_SECRTE: 's3cret',
    };
    expect(() => readConfig(environment)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(
          /^(?!.*(secret ü|s3cret))COLOPHON_PORT .*; COLOPHON_CLIENT_SECRET .*; COLOPHON_ADMIN_PASSWORD .*; COLOPHON_CLIENT_SECRTE /,
        ),
      }),
    );
  });
});
