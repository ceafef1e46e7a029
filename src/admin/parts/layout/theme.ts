/**
 * The values of the look: the scales of type and space, the shapes, and the roles of colours in both schemes. README.md beside the
 * pages says how to use them.
 *
 * Mantine leaves some colours too pale to read: of links, of descriptions, placeholders and errors of fields, of the titles of
 * warnings, of light badges, and behind the labels of red buttons. Each has here a contrast of at least 4.5 to 1 on the backgrounds
 * of its scheme (WCAG 2.2, 1.4.3).
 */
import {
  Button,
  type CSSVariablesResolver,
  createTheme,
  Input,
  InputWrapper,
  Notification,
  Tooltip,
} from '@mantine/core';

/** The theme for `MantineProvider`. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 7 },
  defaultRadius: 'md',
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  fontFamily: 'system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '12px', sm: '14px', md: '16px', lg: '18px', xl: '20px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '24px', lineHeight: '32px' },
      h2: { fontSize: '20px', lineHeight: '28px' },
      h3: { fontSize: '18px', lineHeight: '26px' },
      h4: { fontSize: '16px', lineHeight: '24px' },
    },
  },
  respectReducedMotion: true,
  components: {
    // Without motion, Mantine leaves the spinner beside the middle of its button.
    Button: Button.extend({
      styles: { root: { fontWeight: 500 }, loader: { transform: 'translate(-50%, -50%)' } },
    }),
    // Texts of people, in the direction of their script. Mantine's own `dir` is that of the box around, which has no text.
    Input: Input.extend({ defaultProps: { attributes: { input: { dir: 'auto' } } } }),
    // Help stands under its field, so that fields in one row begin at one height.
    InputWrapper: InputWrapper.extend({
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } }),
    Tooltip: Tooltip.extend({
      defaultProps: { openDelay: 300, events: { hover: true, focus: true, touch: false } },
    }),
  },
});

/** The texts of light badges by colour, on white and on the page in dark colours. */
const badgeTexts: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  gray: ['#343a40', '#ced4da'],
  red: ['#a51111', '#ffa8a8'],
  orange: ['#8f3c00', '#ffc078'],
  yellow: ['#6b4a00', '#ffe066'],
  green: ['#1e6b2e', '#8ce99a'],
  teal: ['#05674d', '#63e6be'],
  blue: ['#1259a3', '#a5d8ff'],
  violet: ['#5a2ebf', '#d0bfff'],
  pink: ['#98174f', '#fcc2d7'],
};

const badgeVariables = (scheme: 0 | 1) =>
  Object.fromEntries(
    Object.entries(badgeTexts).map(([color, texts]) => [
      `--mantine-color-${color}-light-color`,
      texts[scheme],
    ]),
  );

/** The backgrounds of light badges and messages in dark colours, where those of Mantine are as strong as what stands on them. */
const darkBackgrounds = Object.fromEntries(
  Object.keys(badgeTexts).map((color) => [
    `--mantine-color-${color}-light`,
    `color-mix(in srgb, var(--mantine-color-${color}-9) 28%, var(--mantine-color-body))`,
  ]),
);

/** The variables for `MantineProvider`. */
export const readableColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...badgeVariables(0),
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-disabled': 'var(--mantine-color-gray-1)',
    // Of the present page's link, under the mouse.
    '--mantine-color-indigo-light-hover': 'var(--mantine-color-indigo-light)',
  },
  dark: {
    ...badgeVariables(1),
    ...darkBackgrounds,
    // Mantine's are darker than the page.
    '--mantine-color-gray-light': 'var(--mantine-color-dark-5)',
    '--mantine-color-gray-light-hover': 'var(--mantine-color-dark-4)',
    // Also in the row of a table that is highlighted.
    '--mantine-color-anchor': 'var(--mantine-color-indigo-3)',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
    '--mantine-color-red-filled-hover': 'var(--mantine-color-red-8)',
  },
});
