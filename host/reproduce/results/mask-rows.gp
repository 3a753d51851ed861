set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'The paper''s numbers beside ours' noenhanced
set ylabel 'effect or level [%]' noenhanced
set xrange [0:1831.36]
set yrange [-89.7424:144.623]
set xtics rotate by -45 noenhanced scale 0 ('fig3-pwcache' 26.3636, 'fig3-sharedtlb' 67.7273, 'fig11-mask' 109.091, 'fig15-unfairness' 150.455, 'sec7.1-ipc' 191.818, 'fig11-ideal' 233.182, 'fig11-cache' 274.545, 'fig11-dram' 315.909, 'sec7.2-tlb-hits' 357.273, 'sec7.2-bypass-hits' 398.636, 'sec5.3-depth-1' 440, 'sec5.3-depth-2' 481.364, 'sec5.3-depth-3' 522.727, 'sec5.3-depth-4' 564.091, 'fig8-used' 605.455, 'fig8-peak' 646.818, 'sec7.2-dram-latency' 688.182, 'sec7.2-srad' 729.545, 'sec7.2-scan' 770.909, 'sec7.2-cons' 812.273, 'sec7.2-dram-bandwidth' 853.636, 'sec7.3-scheduler' 895, 'table3-sharedtlb-1' 936.364, 'table3-sharedtlb-2' 977.727, 'table3-sharedtlb-3' 1019.09, 'table3-sharedtlb-4' 1060.45, 'table3-sharedtlb-5' 1101.82, 'table3-mask-1' 1143.18, 'table3-mask-2' 1184.55, 'table3-mask-3' 1225.91, 'table3-mask-4' 1267.27, 'table3-mask-5' 1308.64, 'table4-fermi-pwcache' 1350, 'table4-fermi-sharedtlb' 1391.36, 'table4-fermi-mask' 1432.73, 'table4-integrated-pwcache' 1474.09, 'table4-integrated-sharedtlb' 1515.45, 'table4-integrated-mask' 1556.82, 'sec7.3-fermi-pwcache' 1598.18, 'sec7.3-fermi-sharedtlb' 1639.55, 'sec7.3-integrated-pwcache' 1680.91, 'sec7.3-integrated-sharedtlb' 1722.27, 'sec7.3-2mb-sharedtlb' 1763.64, 'sec7.4-queues' 1805)
set label '-45.0 %' at 18.8636,-45 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-31.7 %' at 33.8636,-31.7023 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-40.6 %' at 60.2273,-40.6 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-39.5 %' at 75.2273,-39.4698 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+57.8 %' at 101.591,57.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+1.6 %' at 116.591,1.5706 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-22.4 %' at 142.955,-22.4 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+0.5 %' at 157.955,0.531547 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+43.4 %' at 184.318,43.4 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+1.8 %' at 199.318,1.80919 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-23.2 %' at 225.682,-23.2 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-38.5 %' at 240.682,-38.5192 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+43.6 %' at 267.045,43.6 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-0.2 %' at 282.045,-0.150577 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+22.7 %' at 308.409,22.7 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+1.4 %' at 323.409,1.41457 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+49.9 %' at 349.773,49.9 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-3.3 %' at 364.773,-3.33802 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '66.5 %' at 391.136,66.5 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '7.2 %' at 406.136,7.15538 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '99.8 %' at 432.5,99.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '99.9 %' at 447.5,99.8803 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '98.8 %' at 473.864,98.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '99.9 %' at 488.864,99.8782 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '68.7 %' at 515.227,68.7 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '99.9 %' at 530.227,99.8711 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '1.0 %' at 556.591,1 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '90.4 %' at 571.591,90.4018 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '13.8 %' at 597.955,13.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.3 %' at 612.955,0.3025 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '2.4 %' at 639.318,2.4 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.1 %' at 654.318,0.0951107 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-10.6 %' at 680.682,-10.6 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-14.6 %' at 695.682,-14.5826 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+18.7 %' at 722.045,18.7 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+12.5 %' at 737.045,12.4745 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+8.9 %' at 763.409,8.9 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-14.3 %' at 778.409,-14.3343 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+30.2 %' at 804.773,30.2 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+5.6 %' at 819.773,5.56299 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+5.6 %' at 846.136,5.6 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-1.1 %' at 861.136,-1.13836 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+44.2 %' at 887.5,44.2 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+3.0 %' at 902.5,3.03368 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '47.1 %' at 928.864,47.1 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '55.2 %' at 943.864,55.1565 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '48.7 %' at 970.227,48.7 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '60.5 %' at 985.227,60.5302 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '38.8 %' at 1011.59,38.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '57.9 %' at 1026.59,57.902 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '34.2 %' at 1052.95,34.2 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '51.3 %' at 1067.95,51.2628 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '33.1 %' at 1094.32,33.1 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '53.4 %' at 1109.32,53.3759 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '68.5 %' at 1135.68,68.5 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '54.9 %' at 1150.68,54.8738 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '76.8 %' at 1177.05,76.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '61.5 %' at 1192.05,61.4808 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '62.3 %' at 1218.41,62.3 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '61.5 %' at 1233.41,61.5155 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '55.0 %' at 1259.77,55 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '52.7 %' at 1274.77,52.7364 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '52.9 %' at 1301.14,52.9 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '56.1 %' at 1316.14,56.1101 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '53.1 %' at 1342.5,53.1 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '55.3 %' at 1357.5,55.2844 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '60.4 %' at 1383.86,60.4 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '41.0 %' at 1398.86,41.0396 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '78.0 %' at 1425.23,78 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '41.2 %' at 1440.23,41.2071 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '52.1 %' at 1466.59,52.1 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '72.9 %' at 1481.59,72.9085 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '38.2 %' at 1507.95,38.2 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '49.6 %' at 1522.95,49.6342 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '64.5 %' at 1549.32,64.5 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '50.5 %' at 1564.32,50.4632 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+46.9 %' at 1590.68,46.9 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-25.5 %' at 1605.68,-25.4754 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+29.1 %' at 1632.05,29.1 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+0.4 %' at 1647.05,0.416329 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+23.8 %' at 1673.41,23.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-30.8 %' at 1688.41,-30.797 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+68.8 %' at 1714.77,68.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+1.7 %' at 1729.77,1.66719 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-44.5 %' at 1756.14,-44.5 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-0.1 %' at 1771.14,-0.110703 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '6 %' at 1797.5,6 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '6.2 %' at 1812.5,6.25 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set lmargin at screen 0.0556323
set rmargin at screen 0.965302
set terminal svg size 2013,619
set output 'mask-rows.svg'
plot 'mask-rows.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-rows.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'ours'
set terminal png size 2013,619
set output 'mask-rows.png'
plot 'mask-rows.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-rows.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'ours'
