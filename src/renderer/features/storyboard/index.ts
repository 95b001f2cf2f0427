export { JudgePage } from './judge/JudgePage.tsx';
export { StoryboardPage } from './StoryboardPage.tsx';
