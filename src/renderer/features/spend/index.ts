export { SpendPage } from './SpendPage.tsx';
