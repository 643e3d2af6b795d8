import { render } from 'preact';
import { App } from './shell/app.tsx';
import './theme.css';

render(<App />, document.getElementById('app')!);
