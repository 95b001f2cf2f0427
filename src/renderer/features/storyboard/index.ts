export { StoryboardPage } from './StoryboardPage.tsx';
