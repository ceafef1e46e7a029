import type { NextConfig } from 'next';

/** The admin UI shows previews in a frame. The address is read when the site is built. */
const cms = new URL(process.env.COLOPHON_URL ?? 'http://127.0.0.1:4000').origin;

const config: NextConfig = {
  turbopack: { root: import.meta.dirname },
  poweredByHeader: false,
  headers: async () => [
    {
      source: '/:path*',
      headers: [
        // Other sites do not see the token of a preview.
        { key: 'Referrer-Policy', value: 'same-origin' },
        { key: 'Content-Security-Policy', value: `frame-ancestors 'self' ${cms}` },
      ],
    },
  ],
};

export default config;
