set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Fairness of DWS++''s variants by class (figure 10a)' noenhanced
set ylabel 'fairness over DWS++ [%]' noenhanced
set xrange [0:680]
set yrange [-10.8191:1.59613]
set xtics noenhanced scale 0 ('HL' 81, 'HM' 217, 'HH' 353, 'the 32 with H' 544)
set label '0.0 %' at 53.5,-0.02481 noenhanced font ',9' center offset 0,-0.6
set label '-6.5 %' at 108.5,-6.45349 noenhanced font ',9' center offset 0,-0.6
set label '-2.5 %' at 189.5,-2.47331 noenhanced font ',9' center offset 0,-0.6
set label '-10.1 %' at 244.5,-10.0667 noenhanced font ',9' center offset 0,-0.6
set label '-2.8 %' at 325.5,-2.80198 noenhanced font ',9' center offset 0,-0.6
set label '+0.8 %' at 380.5,0.843696 noenhanced font ',9' center offset 0,0.6
set label 'lower' at 461.5,0 noenhanced font ',9' center offset 0,0.6
set label '-1.5 %' at 516.5,-1.54826 noenhanced font ',9' center offset 0,-0.6
set label 'higher' at 571.5,0 noenhanced font ',9' center offset 0,0.6
set label '-6.6 %' at 626.5,-6.63279 noenhanced font ',9' center offset 0,-0.6
set lmargin at screen 0.137255
set rmargin at screen 0.970588
set terminal svg size 816,440
set output 'dws-fig10a.svg'
plot keyentry with boxes lc rgb '#C8C8C8' title 'paper, in words', 'dws-fig10a.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'conservative', 'dws-fig10a.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'aggressive'
set terminal png size 816,440
set output 'dws-fig10a.png'
plot keyentry with boxes lc rgb '#C8C8C8' title 'paper, in words', 'dws-fig10a.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'conservative', 'dws-fig10a.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'aggressive'
