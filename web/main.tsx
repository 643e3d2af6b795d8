import { render } from 'preact';
import { App } from './shell/app.tsx';
import './style/base.css';
import './style/page.css';
import './style/map.css';
import './style/views.css';
import './style/console.css';

render(<App />, document.getElementById('app')!);
