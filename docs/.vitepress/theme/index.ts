/**
 * The theme of the guide: that of VitePress, with a style for paper.
 */
import theme from 'vitepress/theme';
import './print.css';

export default theme;
